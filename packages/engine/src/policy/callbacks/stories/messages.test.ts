import { describe, expect, it } from 'vitest'
import type { HookInputs } from '../../../ports/callbacks.ts'
import { call, occasion } from '../fixtures/occasions.ts'
import { hookPipeline } from '../pipeline.ts'

const transition = { kind: 'continue', reason: 'tool_calls', findings: [], verdicts: [] } as const

const inputs = {
  run_started: { ...occasion(), task: 'mend it', workFolder: null },
  before_turn: occasion(),
  after_turn: { ...occasion(), text: 'hm', transition },
} satisfies Partial<HookInputs>

const durationMs = expect.any(Number) as number

describe.each(['run_started', 'before_turn', 'after_turn'] as const)(
  'given hooks that speak at %s',
  (point) => {
    it('all messages are told in their order, and by whom is in the trace', async () => {
      const { merged, ran } = await hookPipeline({
        lifecycle: [
          { name: 'two', point, priority: 2, run: () => ({ message: 'second' }) },
          { name: 'mute', point, run: () => ({ message: ' ' }) },
          { name: 'one', point, priority: 1, run: async () => ({ message: 'first' }) },
        ],
      }).fire(point, inputs[point])
      expect(merged).toEqual({ message: 'first\n\nsecond' })
      expect(ran).toEqual([
        { hook: 'one', point, order: 1, effect: 'told', told: 'first', durationMs },
        { hook: 'two', point, order: 2, effect: 'told', told: 'second', durationMs },
        { hook: 'mute', point, order: 3, effect: 'none', durationMs },
      ])
    })
  },
)

describe('given a hook that speaks after a tool call', () => {
  it('its message is told, and cut where it is endless', async () => {
    const hooks = hookPipeline({
      tools: [
        { name: 'long', point: 'after_tool_call', run: ({ output }) => ({ message: output.repeat(9_000) }) },
      ],
    })
    const { merged } = await hooks.fire('after_tool_call', { ...call(), status: 'ok', output: '😀😀' })
    expect(merged.message?.length).toBeLessThanOrEqual(10_000)
    expect(merged.message?.isWellFormed()).toBe(true)
  })
})
