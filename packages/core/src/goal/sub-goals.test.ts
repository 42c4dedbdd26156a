import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  firstGoal,
  nextSubGoal,
  openSubGoals,
  progressOf,
  statusesOf,
  unverifiedSubGoals,
  type SubGoal,
} from './index.ts'

function part(id: string, more: Partial<SubGoal> = {}): SubGoal {
  return { id, title: id, parentId: null, checks: [id], after: [], isProposed: false, ...more }
}

const passing =
  (...names: readonly string[]) =>
  (check: string) =>
    names.includes(check)

const goalOf = (...subGoals: readonly SubGoal[]) => firstGoal('goal', subGoals)

describe('given parts in an order', () => {
  const parts = [part('api'), part('docs', { after: ['api'] }), part('tests')]

  it('has those next that nothing open comes before', () => {
    expect(Object.fromEntries(statusesOf({ subGoals: parts, overBudget: [] }, passing()))).toEqual({
      api: 'next',
      docs: 'open',
      tests: 'next',
    })
    expect(nextSubGoal(goalOf(...parts), passing())?.id).toBe('api')
  })

  it('closes a part by its check, and opens the way to the next', () => {
    const statuses = statusesOf({ subGoals: parts, overBudget: [] }, passing('api'))
    expect(Object.fromEntries(statuses)).toEqual({ api: 'closed', docs: 'next', tests: 'next' })
    expect(nextSubGoal(goalOf(...parts), passing('api'))?.id).toBe('docs')
  })
})

describe('given parts of parts', () => {
  const parts = [
    part('shop', { checks: [] }),
    part('api', { parentId: 'shop' }),
    part('page', { parentId: 'shop' }),
  ]

  it('closes a part without a check by its children', () => {
    expect(statusesOf({ subGoals: parts, overBudget: [] }, passing('api')).get('shop')).toBe('open')
    expect(statusesOf({ subGoals: parts, overBudget: [] }, passing('api', 'page')).get('shop')).toBe('closed')
  })

  it('holds children back until what their parent waits for is closed', () => {
    const held = [
      part('first'),
      part('shop', { checks: [], after: ['first'] }),
      part('api', { parentId: 'shop' }),
    ]
    expect(statusesOf({ subGoals: held, overBudget: [] }, passing()).get('api')).toBe('open')
    expect(statusesOf({ subGoals: held, overBudget: [] }, passing('first')).get('api')).toBe('next')
  })
})

describe('given a part that nothing can close', () => {
  it('stays unverified, and says so', () => {
    const goal = goalOf(part('api'), part('talk', { checks: [] }))
    expect(unverifiedSubGoals(goal, passing('api')).map(({ id }) => id)).toEqual(['talk'])
    expect(progressOf(goal, passing('api')).share).toBe(0.5)
  })

  it('is no matter where the agent itself proposed it', () => {
    const goal = goalOf(part('api'), part('plan-1', { checks: [], isProposed: true }))
    expect(unverifiedSubGoals(goal, passing('api'))).toEqual([])
    expect(progressOf(goal, passing('api')).share).toBe(1)
  })
})

describe('given any tree of parts', () => {
  const ids = ['a', 'b', 'c', 'd', 'e']
  const subGoals = fc
    .array(
      fc.record({
        parent: fc.option(fc.nat(4)),
        after: fc.array(fc.nat(4), { maxLength: 2 }),
        hasCheck: fc.boolean(),
      }),
      { minLength: 1, maxLength: 5 },
    )
    .map((rows) =>
      rows.map(({ parent, after, hasCheck }, index) =>
        part(ids[index] ?? '', {
          parentId: parent === null || parent >= index ? null : (ids[parent] ?? null),
          after: after.filter((each) => each < index).map((each) => ids[each] ?? ''),
          checks: hasCheck ? [ids[index] ?? ''] : [],
        }),
      ),
    )

  it('closes more, and never less, when one more check passes', () => {
    fc.assert(
      fc.property(subGoals, fc.subarray(ids), fc.constantFrom(...ids), (parts, passed, more) => {
        const before = statusesOf({ subGoals: parts, overBudget: [] }, passing(...passed))
        const after = statusesOf({ subGoals: parts, overBudget: [] }, passing(...passed, more))
        for (const [id, status] of before) if (status === 'closed') expect(after.get(id)).toBe('closed')
      }),
    )
  })

  it('has all closed exactly where every part can be and every check passes', () => {
    fc.assert(
      fc.property(subGoals, (parts) => {
        const { share } = progressOf(goalOf(...parts), () => true)
        const open = unverifiedSubGoals(goalOf(...parts), () => true)
        expect(share === 1 || open.length > 0 || parts.some(({ after }) => after.length > 0)).toBe(true)
      }),
    )
  })

  it('closes nothing that leads back to itself', () => {
    const round = [part('a', { after: ['b'] }), part('b', { after: ['a'] })]
    expect([...statusesOf({ subGoals: round, overBudget: [] }, () => true).values()]).toEqual([
      'open',
      'open',
    ])
  })
})

describe('given any parts at all', () => {
  const anyId = fc.constantFrom('a', 'b', 'c', 'd')
  const anyPart = fc.record({
    id: anyId,
    parentId: fc.option(anyId, { freq: 2 }),
    checks: fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
    after: fc.array(anyId, { maxLength: 1 }),
    isProposed: fc.boolean(),
  })
  const anyParts = fc.uniqueArray(anyPart, { selector: ({ id }) => id, maxLength: 4 })

  it('those are open that are not closed, however that is read', () => {
    fc.assert(
      fc.property(anyParts, fc.subarray(['x', 'y']), (shapes, passed) => {
        const parts = shapes.map(({ id, ...more }) => part(id, more))
        const statuses = statusesOf({ subGoals: parts, overBudget: [] }, passing(...passed))
        const open = parts.filter(({ id, isProposed }) => !isProposed && statuses.get(id) !== 'closed')
        expect(openSubGoals(goalOf(...parts), passing(...passed))).toEqual(open)
      }),
    )
  })
})
