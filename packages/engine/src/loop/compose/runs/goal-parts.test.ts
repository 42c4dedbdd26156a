/** Parts of a goal that have budgets, say what belongs to them, and are handed to helpers. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SubGoal } from '@donecheck/core/goal'
import type { RunEvent } from '@donecheck/core/events'
import { memoryStore } from '../../../system/store/index.ts'
import { scriptedDrive } from '../../drives/index.ts'
import { goalTools } from '../../tools/index.ts'
import { tool } from '../../../testing/index.ts'
import { verifierOf } from '../../../checks/verify/index.ts'
import { delegateTool } from './delegate.ts'
import { goalScene, toldAfter } from '../fixtures/goal-scene.ts'

const part = (id: string, more: Partial<SubGoal> = {}): SubGoal => ({
  id,
  title: `the part ${id}`,
  parentId: null,
  checks: [],
  after: [],
  weight: 1,
  isProposed: false,
  ...more,
})

const red = (name: string) => verifierOf(name, () => ({ passed: false, reason: `${name} is wanted` }))
const calm = { loopDetection: 'off', stagnation: 'off' } as const
const look = { tool: 'look', args: {} }
const looking = tool('look', () => ({ status: 'ok', output: 'nothing new' }))

const writing = {
  ...tool('write_file', () => ({ status: 'ok', output: 'written' })),
  effect: 'write',
} as const

const changes = (events: readonly RunEvent[]) =>
  events.flatMap((event) => (event.type === 'goal-changed' ? event.change : []))

describe('given a part that may use two turns', () => {
  const scene = (more: Partial<SubGoal> = {}) =>
    goalScene([{ tools: [look] }], {
      subGoals: [
        part('api', { checks: ['api'], budget: { turns: 2 } }),
        part('docs', { checks: ['docs'], ...more }),
      ],
      hardVerifiers: [red('api'), red('docs')],
      tools: [looking],
      softVerifiers: calm,
      hardCap: { iterations: 5 },
    })

  it('is left after them, the drive is told, and the rest of the budget goes to the other part', async () => {
    const { run, requests } = scene()
    const { state, events, transition } = await run()
    expect(state.goal.spentOnSubGoals['api']?.turns).toBe(2)
    expect(state.goal.spentOnSubGoals['docs']?.turns).toBe(3)
    expect(changes(events)).toMatchObject([{ kind: 'sub-goal-over-budget', id: 'api' }])
    expect(requests[2]?.conversation.messages.at(-1)?.text).toContain(
      'api: the part api (decided by: api), out of budget: leave it',
    )
    expect(transition.reason).toBe('hard_cap')
  })

  it('ends the run when no other part is left that has budget', async () => {
    const { run } = scene({ budget: { turns: 1 } })
    const { transition, state, usage } = await run()
    expect(transition).toMatchObject({ reason: 'blocked', outcome: 'blocked' })
    expect(transition.message).toContain('no part that is open has budget left: api, docs')
    expect(state.goal.status).toBe('budget-limited')
    expect(usage.iterations).toBe(3)
  })

  it('goes on at once when it is given more', async () => {
    const { run, loop } = scene({ budget: { turns: 1 } })
    const { runId } = await run()
    await loop.goal.change(runId, { kind: 'sub-goal-edited', id: 'api', budget: { turns: 4 } })
    const again = await loop.resume(runId)
    expect(again.transition.reason).toBe('hard_cap')
    expect((await loop.goal.show(runId)).goal.spentOnSubGoals['api']?.turns).toBe(4)
  })
})

describe('given a budget of tokens for a part', () => {
  const usage = {
    inputTokens: 300,
    outputTokens: 100,
    cachedInputTokens: 0,
    reasoningTokens: 0,
    estimated: false,
  }

  it('is never exceeded, whatever the drive does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1200, max: 9000 }), async (tokens) => {
        const { run } = goalScene([], {
          drive: scriptedDrive([{ tools: [look], usage }], { repeatLast: true }),
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

describe('given parts that say which files are their own', () => {
  it('books a write to the part that it belongs to, and every other call to none', async () => {
    const write = (path: string) => ({ tool: 'write_file', args: { path, content: 'x' } })
    const { run } = goalScene(
      [{ tools: [write('src/api/a.ts'), write('b.txt'), look] }, { writes: ['a.txt'] }],
      {
        subGoals: [
          part('api', { checks: ['api'], paths: ['src/api'] }),
          part('docs', { checks: ['docs'], paths: ['docs'] }),
        ],
        hardVerifiers: [red('api'), red('docs')],
        hardCap: { iterations: 1 },
        tools: [writing, looking],
      },
    )
    const { state } = await run()
    expect(state.goal.advances).toEqual({ api: { calls: 1, tests: 0 } })
    expect(state.goal.idleCalls).toBe(2)
  })

  it('believes a tool that says what it has advanced, as far as there is such a part', async () => {
    const says = tool('look', () => ({ status: 'ok', output: 'done', advances: ['docs', 'nothing'] }))
    const { run } = goalScene([{ tools: [look] }], {
      subGoals: [part('docs', { checks: ['docs'] })],
      hardVerifiers: [red('docs')],
      hardCap: { iterations: 1 },
      tools: [says],
    })
    expect((await run()).state.goal.advances).toEqual({ docs: { calls: 1, tests: 0 } })
  })

  it('books fewer failing tests to the part whose check counted them', async () => {
    let failed = 5
    const counting = verifierOf('api', () => {
      failed = Math.max(0, failed - 1)
      const counts = { total: 9, passed: 9 - failed, failed, errored: 0, skipped: 0 }
      return {
        passed: failed === 0,
        reason: `${failed} fail`,
        evidence: [{ kind: 'tests', format: 'junit', counts, failed: [], skipped: [] }],
      }
    })
    const steps = [1, 2, 3, 4].map((turn) => ({ writes: [`${turn}.txt`] }))
    const { run } = goalScene(steps, {
      subGoals: [part('api', { checks: ['api'] })],
      hardVerifiers: [counting],
    })
    const { state, transition } = await run()
    expect(transition.outcome).toBe('verified')
    expect(state.goal.advances['api']?.tests).toBe(4)
    expect(state.left.map(({ failingTests, openParts }) => failingTests + openParts)).toEqual([5, 4, 3, 2, 0])
  })
})

describe('given a drive that asks for the checks', () => {
  const ask = { tool: 'request_completion', args: {} }

  it('is done where they pass, and otherwise told what is missing', async () => {
    const store = memoryStore()
    const { run, requests } = goalScene([{ tools: [ask] }, { writes: ['a.txt'], tools: [ask] }], {
      store,
      tools: goalTools(store, Date.now),
      subGoals: [part('a', { checks: ['a.txt'] })],
    })
    const { transition, usage } = await run()
    expect(toldAfter(requests[1])).toContain('a.txt is wanted')
    expect(toldAfter(requests[1])).toContain('go through all that is asked for')
    expect(transition.outcome).toBe('verified')
    expect(usage.iterations).toBe(2)
  })

  it('reports progress for people, which closes nothing', async () => {
    const store = memoryStore()
    const report = { tool: 'report_progress', args: { progress: 'all is done' } }
    const { run, loop } = goalScene([{ tools: [report] }, { writes: ['a.txt'] }], {
      store,
      tools: goalTools(store, Date.now),
      subGoals: [part('b', { checks: ['a.txt'] })],
    })
    const { runId, events } = await run()
    expect((await loop.goal.show(runId)).goal.reportedProgress).toBe('all is done')
    expect(events.findIndex(({ type }) => type === 'run-stopped')).toBeGreaterThan(
      events.findIndex((event) => event.type === 'goal-changed'),
    )
  })
})

describe('given a drive that hands a part to a helper', () => {
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
          loop: () => ({ drive: scriptedDrive([{ text: 'on it', finish: 'length' }, 'Done.']) }),
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
      carved: { maxIterations: 8 },
    })
    const { state } = await run()
    expect(state.goal.spentOnSubGoals['docs']?.inputTokens).toBeGreaterThan(0)
  })

  it('is refused for a part that there is not', async () => {
    const { run } = scene('nobody')
    const { events } = await run()
    expect(events.find(({ type }) => type === 'tool-returned')).toMatchObject({
      status: 'error',
      output: 'not delegated: no part "nobody" is open; open parts: api, docs',
    })
  })
})

describe('given a drive that works at no part of its goal', () => {
  const turnsUntilStagnated = async (written: string) => {
    const write = { tool: 'write_file', args: { path: written, content: 'x' } }
    const steps = Array.from({ length: 60 }, (_, turn) => ({ writes: [`${turn}.txt`], tools: [write] }))
    const { run } = goalScene(steps, {
      subGoals: [part('api', { checks: ['api'], paths: ['src/api'] })],
      hardVerifiers: [red('api')],
      tools: [writing],
      softVerifiers: { loopDetection: 'off', stagnation: { patienceVerifications: 3 } },
      hardCap: { iterations: 60 },
    })
    const { transition, usage } = await run()
    expect(transition.reason).toBe('stagnated')
    expect(transition.message).toContain('left: 1 failing test, 1 open part')
    return usage.iterations
  }

  it('stagnates sooner than one that works at it', async () => {
    expect(await turnsUntilStagnated('b.txt')).toBeLessThan(await turnsUntilStagnated('src/api/b.ts'))
  })
})
