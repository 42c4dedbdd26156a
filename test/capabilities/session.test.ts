/** How a person works with it: `--until`, one line at the end, and a session at a real terminal. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inPlace, lastJson, type Place } from '../e2e/donecheck.ts'
import { calls, says, withModelServer } from '../e2e/model-server.ts'
import type { Steps } from '../e2e/soft-tier-run.ts'
import { atTerminal, keys, type AtTerminal } from '../e2e/terminal.ts'

const writes = (path: string) => calls('write_file', { path, content: `${path}\n` })

describe('given --until', () => {
  const works = 'cat > prompt.txt; touch done.txt; echo done'

  it('then it is the whole configuration of a run, whose last line says outcome, reason, check and cost', async () => {
    await inPlace({ 'agent.sh': works }, async (place) => {
      const ended = await place.run([
        'run',
        '--until',
        'test -e done.txt',
        '--agent',
        'sh agent.sh',
        'Make done.txt.',
      ])
      expect(ended.exitCode).toBe(0)
      expect(ended.stdout).toMatch(
        /^→ verified after 1 turn: test -e done\.txt passed \(exit 0\) · [\d.]+ s/m,
      )
    })
  })

  it('then all of several decide, and the line of a red end names what still fails', async () => {
    await inPlace({ 'agent.sh': works }, async (place) => {
      const until = ['--until', 'test -e done.txt', '--until', 'test -e more.txt']
      const ended = await place.run([
        'run',
        ...until,
        '--agent',
        'sh agent.sh',
        '--max-turns',
        '2',
        'Make both.',
      ])
      expect(ended.exitCode).toBe(3)
      expect(ended.stdout).toMatch(
        /^→ exhausted after 2 turns: hard_cap: turn limit reached \(2 of 2\); test -e more\.txt still fails \(exit 1\)/m,
      )
    })
  })

  it('then programs read the same end as one object, or as a line for every event', async () => {
    await inPlace({ 'agent.sh': works }, async (place) => {
      const words = ['--until', 'test -e done.txt', '--agent', 'sh agent.sh', 'Make done.txt.']
      const stream = await place.run(['run', '--events', ...words])
      expect(JSON.parse(stream.stdout.split('\n')[0] ?? '')).toMatchObject({
        type: 'run-started',
        sequence: 1,
      })
      const result = { type: 'result', outcome: 'verified', reason: 'task_complete', exitCode: 0, turns: 1 }
      expect(lastJson(stream)).toMatchObject(result)
    })
  })

  it('then a project with tests needs none, and one without is told what to type', async () => {
    const project = {
      'package.json': '{"scripts":{"test":"node --test"}}',
      'done.test.js': "require('node:test')('is done', () => require('node:fs').statSync('done.txt'))",
      'agent.sh': works,
    }
    await inPlace(project, async (place) => {
      const ended = await place.run(['run', '--agent', 'sh agent.sh', 'Make done.txt.'])
      expect(ended.stderr).toContain("the project's own tests decide: npm test")
      expect(ended.stdout).toContain('→ verified after 1 turn')
    })
    await inPlace({}, async (place) => {
      const refused = await place.run(['run', '--agent', 'true', 'Work.'])
      expect(refused.exitCode).toBe(2)
      expect(refused.stderr).toContain('--until')
    })
  })
})

describe('given donecheck alone', () => {
  /** A session with a model that says these things. */
  const session = (
    steps: Steps,
    config: object,
    work: (terminal: AtTerminal, place: Place, requests: () => readonly unknown[]) => Promise<void>,
  ) =>
    inPlace({ 'a.txt': 'a\n' }, (place) =>
      withModelServer(steps, says('Nothing more to do.'), async ({ baseUrl, requests }) => {
        const file = { baseUrl, model: 'm', memory: 'off', ...config }
        await place.write('donecheck.config.json', JSON.stringify(file))
        await atTerminal(place, [], { environment: { DONECHECK_SANDBOX: 'off' } }, (terminal) =>
          work(terminal, place, requests),
        )
      }),
    )

  it('then a person names a check, says what is to be done, sees the end, and asks about it', async () => {
    await session([writes('b.txt'), says('Done.')], { approval: 'never' }, async (terminal, place) => {
      await terminal.shows('no check yet')
      terminal.say('/until "test -e b.txt"')
      await terminal.shows('until: test -e b.txt')
      terminal.say('Make b.txt.')
      await terminal.shows('→ verified after 1 turn')
      await terminal.shows('verified · turn 1/')
      for (const [command, answer] of [
        ['/checks', '✓ test -e b.txt passed'],
        ['/diff', '+b.txt'],
        ['/why', 'What it cost'],
        ['/undo', 'taken back: b.txt'],
        ['/chekcs', 'did you mean /checks?'],
      ] as const) {
        terminal.say(command)
        await terminal.until((screen) => screen.slice(screen.lastIndexOf(`> ${command}\n`)).includes(answer))
      }
      expect(existsSync(join(place.folder, 'b.txt'))).toBe(false)
      terminal.say('/quit')
      expect(await terminal.exitCode).toBe(0)
    })
  })

  it('then a call is asked about in place, the agent is steered in mid-turn, and Ctrl-C stops the turn alone', async () => {
    // It waits at a pipe until it is let go.
    const waits = (pipe: string) =>
      calls('run_shell', { command: `mkfifo ${pipe}; echo waiting; cat ${pipe}` })
    const steps = [writes('b.txt'), waits('../one'), waits('../two')]
    await session(
      steps,
      { approval: 'untrusted', until: 'test -e z.txt' },
      async (terminal, place, requests) => {
        await terminal.shows('Say what is to be done.')
        terminal.say('Make z.txt.')
        await terminal.shows('[n] no, with a reason')
        terminal.press('n')
        await terminal.shows('Why not?')
        terminal.say('not that one')
        await terminal.until(
          (screen) => screen.includes('? run mkfifo ../one') && screen.includes('[y] yes, once'),
        )
        expect(existsSync(join(place.folder, 'b.txt'))).toBe(false)
        terminal.press('y')
        await terminal.shows('    waiting')
        terminal.say('Mind the docs.')
        await terminal.shows('Mind the docs.  (told before the next step)')
        await place.write('../one', 'go\n')
        await terminal.until(
          (screen) => screen.includes('? run mkfifo ../two') && screen.includes('[y] yes, once'),
        )
        const told = JSON.stringify(requests().at(-1))
        for (const words of ['not that one', 'Mind the docs.']) expect(told).toContain(words)
        terminal.press('y')
        await terminal.shows('    waiting')
        terminal.press(keys.controlC)
        await terminal.shows('→ interrupted')
        terminal.press(keys.controlC)
        await terminal.shows('Ctrl-C once more leaves')
        terminal.press(keys.controlC)
        expect(await terminal.exitCode).toBe(0)
      },
    )
  })

  it('then without a terminal it says what can be typed', async () => {
    await inPlace({}, async (place) => {
      const { stdout, stderr } = await place.run([])
      expect(`${stdout}${stderr}`).toContain('donecheck --help')
    })
  })
})
