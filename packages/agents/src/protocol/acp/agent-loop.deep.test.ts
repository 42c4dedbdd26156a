import { describe, expect, it } from 'vitest'
import { createAgentLoop } from '@donecheck/engine/internal/loop/compose'
import type { RunEvent } from '@donecheck/core/internal/events'
import type { PrefixRule } from '@donecheck/engine/gate'
import { command } from '@donecheck/engine/verify'
import { inScriptedPlace, isAlive, pidOf, type ScriptedPlace } from './fixtures/scripted.ts'
import type { Act, AgentScript } from './fixtures/scripted-agent.ts'

const noPush: PrefixRule = {
  kind: 'prefix',
  pattern: [['git'], ['push']],
  decision: 'forbidden',
  justification: 'nothing leaves this machine',
  source: { layer: 'user' },
  match: [],
  notMatch: [],
}

describe('given a loop with checks, a gate and caps', () => {
  interface Ended {
    readonly reason: string
    readonly events: readonly RunEvent[]
  }

  async function run(
    place: ScriptedPlace,
    script: AgentScript,
    more: Partial<Parameters<typeof createAgentLoop>[0]> = {},
  ): Promise<Ended> {
    const loop = createAgentLoop({
      agent: place.agent(script),
      workFolder: place.folder,
      hardVerifiers: [command('test -f done.txt')],
      gate: { approval: 'never' },
      ...more,
    })
    const running = loop.run('Create done.txt')
    const events: RunEvent[] = []
    for await (const event of running) events.push(event)
    const { transition } = await running
    return { reason: transition.reason, events }
  }

  it('blocks the stop of a claim that is red, with the evidence', async () => {
    await inScriptedPlace(async (place) => {
      const { reason } = await run(place, {
        turns: [[{ say: 'Done.' }], [{ write: 'done.txt', content: 'yes\n' }, { say: 'Done, really.' }]],
      })
      expect(reason).toBe('task_complete')
      expect(place.told('prompt')[1]).toContain('test -f done.txt')
      expect(isAlive(pidOf(place))).toBe(false)
    })
  })

  it.each<readonly [string, Act]>([
    ['told as input', { run: 'git push --force origin main' }],
    ['told as a title', { run: 'git push --force origin main', hidden: true }],
    ['called running before it asks', { run: 'git push --force origin main', early: true }],
  ])('does not let a command run that is forbidden: %s', async (_, act) => {
    await inScriptedPlace(async (place) => {
      const { events } = await run(
        place,
        { turns: [[act, { say: 'Done.' }], [{ write: 'done.txt', content: 'x' }]] },
        { gate: { approval: 'never', rules: [noPush] } },
      )
      expect(place.told('ran')).toEqual([])
      expect(place.told('answered')[0]).toEqual({ outcome: 'selected', optionId: 'the reject_once' })
      expect(events.filter(({ type }) => type === 'tool-refused')).toHaveLength(1)
      expect(place.told('prompt')[1]).toContain('nothing leaves this machine')
    })
  })

  it('runs two calls that are both asked for before either is run', async () => {
    await inScriptedPlace(async (place) => {
      const { reason } = await run(place, {
        turns: [[{ both: ['echo one > one.txt', 'echo yes > done.txt'] }, { say: 'Done.' }]],
      })
      expect(reason).toBe('task_complete')
      expect(place.told('ran')).toEqual(['echo one > one.txt', 'echo yes > done.txt'])
    })
  })

  it('does not let it weaken a check that it asks to edit, nor write outside', async () => {
    await inScriptedPlace(async (place) => {
      const { events } = await run(place, {
        turns: [
          [
            { write: '../stolen.txt', content: 'x' },
            { write: '.git/config', content: 'x' },
            { say: 'Done.' },
          ],
          [{ write: 'done.txt', content: 'x' }],
        ],
      })
      const refused = events.filter((event) => event.type === 'tool-refused')
      expect(refused.map(({ label }) => label)).toEqual(['outside_work_folder', 'protected_file'])
      expect(place.textOf('../stolen.txt')).toBeUndefined()
    })
  })

  it('ends equal calls in the middle of a turn', async () => {
    await inScriptedPlace(async (place) => {
      const same: Act = { run: 'echo again' }
      const { reason } = await run(place, { turns: [[...Array<Act>(100).fill(same), { say: 'Done.' }]] })
      expect(reason).toBe('loop_detected')
      expect(place.told('ran').length).toBeLessThan(100)
      expect(isAlive(pidOf(place))).toBe(false)
    })
  })
})
