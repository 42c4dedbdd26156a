/** The real Codex as an outer loop: what it says is not believed, and what it does is seen. */
import { expect, it } from 'vitest'
import {
  check,
  describeWith,
  hanging,
  inPlace,
  mends,
  redProject,
  shellCall,
  works,
  type Place,
  type PlaceOptions,
  type ScriptedStep,
} from '../kit/index.ts'
import { leavesSettings } from '../outer-loop/settings.ts'

const task = 'Create done.txt'

function inRed<Value>(
  steps: readonly ScriptedStep[],
  work: (place: Place) => Promise<Value>,
  more: Partial<PlaceOptions> = {},
): Promise<Value> {
  return inPlace({ agents: ['codex'], files: redProject, script: { steps }, ...more }, work)
}

function run(place: Place, words: readonly string[] = ['--until', check], line = 'codex') {
  return place.donecheck(['run', '--agent', line, '--final-summary', 'off', ...words, task])
}

/** Codex sends it with every request of a thread. */
function threadOf(place: Place, turn: number): unknown {
  return place.server.turns.at(turn)?.body['prompt_cache_key']
}

describeWith('codex', 'given an agent that says done while the check is red', () => {
  it('blocks its stop into the same thread with the evidence, ends verified, and has the settings of its user as before', async () => {
    await inRed([{ text: 'Done.' }, mends('codex'), { text: 'Done, really.' }], async (place) => {
      const ended = await leavesSettings(place, 'codex', () => run(place))
      expect(ended.exitCode, ended.output).toBe(0)
      expect(place.has('done.txt')).toBe(true)
      expect(place.server.turns[1]?.told).toContain('$ test -f done.txt')
      expect(threadOf(place, 1)).toBe(threadOf(place, 0))
      // Three replies of 1,050 tokens: Codex tells the total of the thread, each is booked once.
      expect(ended.output).toContain('3,150 tokens')
      expect(await place.leftovers()).toEqual([])
    })
  })
})

describeWith('codex', 'given an agent that rewrites the check', () => {
  it('does not believe it', async () => {
    const files = { ...redProject, 'check.test.sh': '#!/bin/sh\ntest -f done.txt\n' }
    const rewrites = shellCall('codex', "printf '#!/bin/sh\\nexit 0\\n' > check.test.sh")
    await inRed(
      [rewrites, { text: 'Done.' }],
      async (place) => {
        const ended = await run(place, [
          '--until',
          'sh check.test.sh',
          'DONECHECK_PROTECT=["*.test.sh"]',
          '--max-turns',
          '2',
        ])
        expect([1, 3, 5], ended.output).toContain(ended.exitCode)
        expect(ended.output).toContain('check.test.sh')
      },
      { files },
    )
  })
})

describeWith('codex', 'given a command at work when the turn is broken off at its bound of time', () => {
  it('leaves nothing of it behind', async () => {
    const works = shellCall('codex', 'echo begun > begun.txt; sleep 300 & sleep 300')
    await inRed([works], async (place) => {
      const ended = await run(place, ['--until', check, '--max-seconds', '15'])
      expect(ended.exitCode, ended.output).toBe(3)
      expect(place.has('begun.txt')).toBe(true)
      expect(await place.leftovers()).toEqual([])
    })
  })
})

describeWith('codex', 'given a process that is killed', () => {
  it('goes on when codex is killed in the middle of its turn', async () => {
    const dies = shellCall('codex', 'kill -9 $PPID; sleep 30')
    await inRed([dies, mends('codex'), { text: 'Done.' }], async (place) => {
      const unconfined = 'codex -s danger-full-access'
      const ended = await leavesSettings(place, 'codex', () =>
        run(place, ['--until', check, '--yes'], unconfined),
      )
      expect(ended.exitCode, ended.output).toBe(0)
      expect(ended.output).toContain('killed by SIGKILL')
      expect(threadOf(place, 1)).toBe(threadOf(place, 0))
    })
  })

  it('goes on with the same thread when donecheck is killed', async () => {
    const { step: hangs, isAsked } = hanging()
    await inRed([works('codex'), hangs, mends('codex'), { text: 'Done.' }], async (place) => {
      const running = place.startDonecheck([
        'run',
        '--agent',
        'codex',
        '--final-summary',
        'off',
        '--until',
        check,
        task,
      ])
      await isAsked
      running.kill('SIGKILL')
      await running.ended
      const resumed = await place.donecheck(['resume', 'last'])
      expect(resumed.exitCode, resumed.output).toBe(0)
      expect(threadOf(place, -1)).toBe(threadOf(place, 0))
      expect(JSON.stringify(place.server.turns.at(-1)?.body['input'])).toContain('echo working')
    })
  })
})
