import { describe, expect, it } from 'vitest'
import { quorum } from '@donecheck/core/internal/decide/aggregate'
import type { GoalChange, SubGoal } from '@donecheck/core/internal/goal'
import { UsageError } from '../../../base/index.ts'
import { memoryStore } from '../../../system/store/index.ts'
import { scriptedAgent } from '../../agents/index.ts'
import { goalTools } from '../../tools/index.ts'
import { verifierOf } from '../../../checks/verify/index.ts'
import { edited, goalScene, part, red } from '../fixtures/goal-scene.ts'

const green = (name: string) => verifierOf(name, () => ({ passed: true, reason: `${name} is there` }))
describe('given a part that is open', () => {
  it('keeps the run from being verified, whatever the policy lets pass', async () => {
    const { run } = goalScene([{ writes: ['a.txt'] }], {
      subGoals: [part('docs', { checks: ['docs'] })],
      hardVerifiers: [green('a'), red('docs')],
      aggregate: quorum({ atLeast: 1 }),
    })
    expect((await run()).transition.outcome).not.toBe('verified')
  })

  it.each<[string, readonly SubGoal[]]>([
    ['its check is misspelt', [part('x', { checks: ['nothere'] })]],
    ['it waits for itself', [part('x', { after: ['y'] }), part('y', { after: ['x'] })]],
    ['it stands there twice', [part('x'), part('x')]],
  ])('is refused at the start where %s', async (_, subGoals) => {
    const { loop } = goalScene([{ writes: ['a.txt'] }])
    await expect(loop.run('write a.txt', { subGoals })).rejects.toThrow(UsageError)
  })
})

describe('given changes among many parts', () => {
  it('keeps the constraints of a goal that is worded anew', async () => {
    const { loop, requests } = goalScene([{ asked: [edited('take gift cards')] }, { writes: ['a.txt'] }])
    await loop.run('take vouchers\n\nConstraints:\nno dependency', { rules: 'Constraints:\nno dependency' })
    expect(requests[1]?.conversation.task).toBe('take gift cards\n\nConstraints:\nno dependency')
  })
})

describe('given waits', () => {
  const wait = (seconds: number, reason = 'just so') => ({ tool: 'wait_for', args: { seconds, reason } })

  it('are not without end where the agent asks for them', async () => {
    const store = memoryStore()
    let turn = 0
    const { run } = goalScene([], {
      store,
      tools: goalTools(store, Date.now),
      hardCap: { iterations: 20 },
      agent: scriptedAgent([() => ({ tools: [wait(0.001, `step ${(turn += 1)}`)] })], { repeatLast: true }),
    })
    const { events } = await run()
    expect(events.filter(({ type }) => type === 'goal-wait-ended')).toHaveLength(10)
  })

  it('go on after a kill and a resume, and the agent hears how they ended', async () => {
    const build: GoalChange = {
      kind: 'wait-began',
      awaited: { kind: 'time' },
      expiresAtMs: Date.now() + 300,
      reason: 'the build',
    }
    const full = goalScene([{ asked: [build] }, { writes: ['a.txt'] }])
    const { events, runId } = await full.run()
    const cut = events.findIndex(({ type }) => type === 'turn-ended') + 1
    const store = memoryStore()
    await store.append(0, events.slice(0, cut), null)
    const { loop } = goalScene([{}, { writes: ['a.txt'] }], { store, workFolder: full.folder })
    await loop.resume(runId)
    const after = (await store.read(runId)).slice(cut).map(({ type }) => type)
    expect(after).toContain('goal-wait-ended')
  })
})

describe('given an agent that asks for more than a turn can bear', () => {
  it('is told so, and the record stays small', async () => {
    const store = memoryStore()
    const titles = Array.from({ length: 20 }, (_, index) => `part ${index}`)
    const calls = Array.from({ length: 30 }, () => ({ tool: 'propose_subgoals', args: { titles } }))
    const { run } = goalScene([{ tools: calls }, { writes: ['a.txt'] }], {
      store,
      tools: goalTools(store, Date.now),
    })
    const { events } = await run()
    expect(events.filter(({ type }) => type === 'goal-changed')).toHaveLength(40)
    expect(events.filter((event) => event.type === 'tool-returned' && event.status === 'error')).toHaveLength(
      28,
    )
  })
})
