import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scriptedAgent } from '../../agents/index.ts'
import { tool } from '../../../testing/index.ts'
import { delegateTool } from './delegate.ts'
import { goalScene, part, red } from '../fixtures/goal-scene.ts'

const calm = { loopDetection: 'off', stagnation: 'off' } as const
const look = { tool: 'look', args: {} }
const looking = tool('look', () => ({ status: 'ok', output: 'nothing new' }))

describe('given a budget of tokens for a part', () => {
  const usage = {
    inputTokens: 300,
    outputTokens: 100,
    cachedInputTokens: 0,
    reasoningTokens: 0,
    estimated: false,
  }

  it('is never exceeded, whatever the agent does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1200, max: 9000 }), async (tokens) => {
        const { run } = goalScene([], {
          agent: scriptedAgent([{ tools: [look], usage }], { repeatLast: true }),
          subGoals: [part('api', { checks: ['api'], budget: { tokens } })],
          hardVerifiers: [red('api')],
          tools: [looking],
          softVerifiers: calm,
        })
        const { state } = await run()
        const { inputTokens = 0, outputTokens = 0 } = state.goal.spentOnSubGoals['api'] ?? {}
        expect(inputTokens + outputTokens).toBeLessThanOrEqual(tokens)
      }),
      { numRuns: 10 },
    )
  })
})

describe('given an agent that hands a part to a helper', () => {
  const delegating = (id: string) => ({ tools: [{ tool: 'delegate', args: { task: 'do it', part: id } }] })
  const scene = (id: string, budget = 9) =>
    goalScene([delegating(id), { writes: ['a.txt'] }], {
      subGoals: [
        part('api', { checks: ['api'] }),
        part('docs', { checks: ['docs'], budget: { turns: budget } }),
      ],
      hardVerifiers: [red('api'), red('docs')],
      hardCap: { iterations: 20 },
      tools: [
        delegateTool({
          loop: () => ({ agent: scriptedAgent([{ text: 'on it', finish: 'length' }, 'Done.']) }),
        }),
      ],
      gate: { check: async () => ({ kind: 'allow', reason: 'a test' }) },
      softVerifiers: calm,
    })

  it('is charged to that part, not to the one that is next', async () => {
    const { run } = scene('docs')
    const { events } = await run()
    expect(events.find(({ type }) => type === 'sub-run-started')).toMatchObject({
      subGoalId: 'docs',
      allocated: { maxIterations: 8 },
    })
    const { state } = await run()
    expect(state.goal.spentOnSubGoals['docs']?.inputTokens).toBeGreaterThan(0)
  })
})
