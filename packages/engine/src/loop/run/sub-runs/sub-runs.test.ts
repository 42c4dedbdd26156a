import { describe, expect, it } from 'vitest'
import { scriptedAgent } from '../../agents/index.ts'
import { noConsumption } from '@donecheck/core/internal/state'
import type { Consumption } from '@donecheck/core/internal/budgets'
import type { SubRunEnd, Tool, ToolContext } from '../../../ports/loop.ts'
import { play, tool, typesOf, type Scene } from '../../../testing/index.ts'

const spentOf = (part: Partial<Consumption>): SubRunEnd => ({
  spent: { ...noConsumption, ...part },
  outcome: 'verified',
  message: 'done',
})

function toolWith(work: (context: ToolContext) => Promise<unknown>): Tool {
  return {
    ...tool('split', () => ({ status: 'ok', output: '' })),
    prepare: async () => ({
      kind: 'ready',
      summary: 'split',
      run: async (_, context) => {
        if (context === undefined) throw new Error('it is called by a run')
        return { status: 'ok', output: JSON.stringify((await work(context)) ?? null) }
      },
    }),
  }
}

const callSplit = { tools: [{ tool: 'split', args: {} }] }
const sceneOf = (work: (context: ToolContext) => Promise<unknown>, scene: Partial<Scene> = {}): Scene => ({
  agent: scriptedAgent([callSplit, 'Done.']),
  tools: [toolWith(work)],
  caps: { maxIterations: 20 },
  ...scene,
})

describe('given a tool that starts two sub-runs at the same time', () => {
  it('tells their facts one after the other, and reserves for both', async () => {
    const gate = Promise.withResolvers<undefined>()
    let allocated: readonly (number | null)[] = []
    const { events, state } = await play(
      sceneOf(async (context) => {
        const bounds: (number | null)[] = []
        const start = (atMost: number) =>
          context.subRun({
            atMost: { maxIterations: atMost },
            work: async ({ caps }) => {
              bounds.push(caps.maxIterations)
              if (bounds.length === 2) gate.resolve(undefined)
              await gate.promise
              return spentOf({ iterations: 1, modelCalls: 2 })
            },
          })
        await Promise.all([start(15), start(15)])
        allocated = bounds
      }),
    )
    expect(allocated).toEqual([15, 20 - 1 - 15 - 1])
    expect(typesOf(events).filter((type) => type.startsWith('sub-run'))).toEqual([
      'sub-run-started',
      'sub-run-started',
      'sub-run-ended',
      'sub-run-ended',
    ])
    expect(state.consumption).toMatchObject({ iterations: 2 + 2, modelCalls: 2 + 4 })
  })
})

describe('given a sub-run that is not told to its end', () => {
  it('counts whole when the call is over before it', async () => {
    const { events, state } = await play(
      sceneOf((context) => {
        void context.subRun({ atMost: { maxIterations: 5 }, work: () => new Promise(() => undefined) })
        return context.subRun({ atMost: { maxIterations: 1 }, work: async () => spentOf({}) })
      }),
    )
    expect(state.subRuns).toMatchObject({ open: [], lost: { iterations: 5 } })
    expect(events.filter(({ type }) => type === 'sub-run-ended')).toMatchObject([
      { spent: {} },
      { spent: null },
    ])
  })

  it('cannot be started after the call, nor booked', async () => {
    let kept: ToolContext | undefined
    const { session, state } = await play(
      sceneOf(async (context) => {
        kept = context
      }),
    )
    await expect(kept?.subRun({ work: async () => spentOf({}) })).rejects.toThrow(/tool call is over/)
    expect(session.state).toEqual(state)
  })
})

describe('given a batch of calls, the first of which starts a sub-run', () => {
  it('decides the rest anew, under what is left then', async () => {
    const { events } = await play(
      sceneOf((context) => context.subRun({ work: async () => spentOf({ toolCalls: 5 }) }), {
        agent: scriptedAgent([
          { tools: [callSplit.tools[0] ?? { tool: 'split', args: {} }, { tool: 'split', args: {} }] },
          'Done.',
        ]),
        caps: { maxToolCalls: 6 },
      }),
    )
    expect(events.filter(({ type }) => type === 'tool-called')).toHaveLength(1)
    expect(events.filter(({ type }) => type === 'tool-refused')).toMatchObject([{ by: 'cap' }])
  })
})
