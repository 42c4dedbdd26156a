import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  keptCalls,
  keptReplies,
  keptTrees,
  newCallsOutOfLoop,
  noActivity,
  withCall,
  withProgress,
  withReply,
  withTask,
  withTree,
  type Activity,
} from './activity.ts'
import type { CallFact } from './calls.ts'
import { replyRecord } from './records.ts'

function fact(call: string, outcome: string | null, different: Partial<CallFact> = {}): CallFact {
  const known = { failure: null, callStatus: 'ran' as const, waits: false, noOp: false }
  return { sequence: 1, turn: 1, tool: 'read_file', call, outcome, ...known, ...different }
}

/** One call a turn. */
function called(...calls: readonly (readonly [string, string | null, Partial<CallFact>?])[]): Activity {
  return calls.reduce<Activity>(
    (activity, [call, outcome, different], index) =>
      withCall(activity, fact(call, outcome, { turn: index + 1, sequence: index + 1, ...different })),
    noActivity,
  )
}

const repeats = ({ calls }: Activity) => calls.map(({ repeat }) => repeat)

describe('given calls', () => {
  it('each carries how often it had this outcome before', () => {
    expect(repeats(called(['a', 'x'], ['a', 'x'], ['b', 'y'], ['a', 'x'], ['a', 'z'], ['a', 'x']))).toEqual([
      0, 1, 0, 2, 0, 3,
    ])
  })

  it('each carries how often in a row it said nearly this, which is no news for long', () => {
    const counter = Array.from({ length: 7 }, (_, at) => ['a', `x ${at}`, { lines: 'same' }] as const)
    const { calls, callsSinceProgress } = called(...counter)
    expect(calls.map(({ alike }) => alike)).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(calls.map(({ repeat }) => repeat)).toEqual([0, 0, 0, 0, 0, 0, 0])
    expect(callsSinceProgress).toBe(3)
    const other = called(...counter, ['a', 'y', { lines: 'other' }], ['a', 'x', { lines: 'same' }])
    expect(other.calls.slice(-2).map(({ alike }) => alike)).toEqual([0, 0])
  })

  it('progress begins anew, but not for a tool that is declared to change nothing', () => {
    const readOnly = { readOnly: true } as const
    const before = called(['a', 'x'], ['b', 'y', readOnly])
    const after = withCall(withProgress(before), fact('a', 'x', { turn: 3 }))
    expect(repeats(withCall(after, fact('b', 'y', { turn: 4, ...readOnly })))).toEqual([0, 0, 0, 1])
  })

  it('counts calls since something new succeeded', () => {
    const failing = { failure: 'no', outcome: 'no' }
    expect(called(['a', 'x']).callsSinceProgress).toBe(0)
    expect(called(['a', 'x'], ['a', 'x'], ['a', 'x']).callsSinceProgress).toBe(2)
    expect(called(['a', 'x'], ['b', 'no', failing], ['c', 'no', failing]).callsSinceProgress).toBe(2)
    expect(called(['a', 'x'], ['a', 'x'], ['b', 'y']).callsSinceProgress).toBe(0)
    expect(withProgress(called(['a', 'x'], ['a', 'x'])).callsSinceProgress).toBe(0)
  })

  it('a tree that came of nothing but a call made again is no progress, however new it is', () => {
    const append = (turn: number, more: Partial<CallFact> = {}) => fact('append', 'ok', { turn, ...more })
    const grown = (last: CallFact) => {
      const first = withTree(withCall(withTree(noActivity, 'tree 0'), append(1)), 'tree 1', 1)
      return withTree(withCall(first, last), 'tree 2', 2)
    }
    expect(grown(append(2)).generation).toBe(1)
    expect(grown(append(2)).trees).toContain('tree 2')
    expect(grown(append(2, { call: 'another' })).generation).toBe(2)
    expect(grown(append(2, { outcome: 'another' })).generation).toBe(2)
    expect(grown(append(2, { outcome: null })).generation).toBe(2)
    expect(grown(append(2, { waits: true })).generation).toBe(2)
    expect(grown(append(2, { looks: true })).generation).toBe(2)
  })

  it('several vetoes of one turn are one, and enough new calls in a row forgive all', () => {
    const veto = { callStatus: 'vetoed' as const }
    const vetoed = called(['a', 'x'], ['a', 'x', { ...veto, turn: 2 }], ['a', 'x', { ...veto, turn: 2 }])
    expect([vetoed.vetoes, vetoed.vetoedTurn]).toEqual([1, 2])
    const again = withCall(vetoed, fact('b', null, { ...veto, turn: 3 }))
    expect(again.vetoes).toBe(2)
    const news = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        fact(`new ${index}`, `new ${index}`, { turn: 4 }),
      ).reduce<Activity>((activity, one) => withCall(activity, one), again)
    expect(news(newCallsOutOfLoop - 1).vetoes).toBe(2)
    expect(news(newCallsOutOfLoop).vetoes).toBe(0)
  })

  it('a refused call that is asked for again counts twice, where it gave the same over and over', () => {
    const veto = { callStatus: 'vetoed' as const }
    const once = called(['a', 'x'], ['a', 'x'], ['a', 'x', veto])
    expect(once.vetoes).toBe(1)
    expect(withCall(once, fact('a', 'x', { ...veto, turn: 9 })).vetoes).toBe(3)
    expect(withCall(once, fact('b', 'y', { ...veto, turn: 9 })).vetoes).toBe(2)
  })

  it('what is kept is bounded', () => {
    const many = Array.from({ length: 200 }, (_, index) => [`a ${index}`, 'x'] as const)
    expect(called(...many).calls).toHaveLength(keptCalls)
    expect(called(...many).callsInTask).toBe(200)
    expect(withCall(called(...many), fact('b', 'y'), 8).calls.length).toBeLessThanOrEqual(8)
  })
})

describe('given looks at the tree', () => {
  it('the first is no progress, a new one is, one that was there before is none', () => {
    const first = withTree(noActivity, 'a')
    expect(first.generation).toBe(0)
    const second = withTree(first, 'b')
    expect(second.generation).toBe(1)
    expect(withTree(second, 'a')).toBe(second)
    expect(withTree(withTree(second, 'a'), 'b').generation).toBe(1)
  })

  it('is none after a write that was made before with nearly the same answer', () => {
    const lines = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    const writes = (last: string) =>
      withCall(
        withTree(called(['append', 'x', { lines: lines.join(' ') }], ['b', 'y'], ['c', 'z']), 'one'),
        fact('append', 'other', { turn: 4, lines: [...lines.slice(0, 7), ...last.split(' ')].join(' ') }),
      )
    expect(withTree(writes('h i'), 'two', 4).generation).toBe(0)
    expect(withTree(writes('i j k'), 'two', 4).generation).toBe(1)
  })

  it('what says beside an edit the same as before says it of other work: no round', () => {
    const edited = (at: number) => [`edit ${at}`, `done ${at}`, { turn: at }] as const
    const test = (at: number) => ['test', 'no', { failure: 'no', turn: at }] as const
    const readOnly = (at: number) => ['page', 'same', { readOnly: true as const, turn: at }] as const
    const batch = (at: number) => [edited(at), test(at), readOnly(at)]
    const seen = withTree(called(...batch(1)), 'one', 1)
    const both = batch(2).reduce(
      (next, [call, outcome, more]) => withCall(next, fact(call, outcome, more)),
      seen,
    )
    expect(repeats(both)).toEqual([0, 0, 0, 0, 1, 1])
    expect(repeats(withTree(both, 'two', 2))).toEqual([0, 0, 0, 0, 0, 1])
  })

  it('so many are remembered, the oldest is forgotten', () => {
    const trees = Array.from({ length: keptTrees + 1 }, (_, index) => `tree ${index}`)
    const activity = trees.reduce(withTree, noActivity)
    expect(activity.trees).toHaveLength(keptTrees)
    expect(withTree(activity, 'tree 0').generation).toBe(activity.generation + 1)
    expect(withTree(activity, 'tree 1').generation).toBe(activity.generation)
  })
})

describe('given another task', () => {
  const reply = replyRecord(1, { text: 'I look at it.', calls: 0, claimed: true })

  it('nothing that was done before counts, but the trees are known', () => {
    const before = withReply(withTree(called(['a', 'x'], ['a', 'x']), 'tree'), reply)
    expect(withTask(before)).toEqual({ ...noActivity, trees: ['tree'], generation: before.generation + 1 })
  })
})

const anyFact = fc.record({
  call: fc.constantFrom('a', 'b', 'c'),
  outcome: fc.option(fc.constantFrom('x', 'y')),
  turn: fc.nat({ max: 50 }),
  callStatus: fc.constantFrom('ran' as const, 'vetoed' as const),
  waits: fc.boolean(),
  fails: fc.boolean(),
})

type Step = (activity: Activity) => Activity
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  anyFact.map(
    ({ call, outcome, fails, ...rest }): Step =>
      (activity) =>
        withCall(activity, fact(call, outcome, { ...rest, failure: fails ? outcome : null })),
  ),
  fc.constantFrom('t1', 't2', 't3').map(
    (tree): Step =>
      (activity) =>
        withTree(activity, tree),
  ),
  fc.constantFrom('one', 'two', '').map(
    (text): Step =>
      (activity) =>
        withReply(activity, replyRecord(1, { text, calls: 0, claimed: true })),
  ),
  fc.constant<Step>(withTask),
)

describe('given anything', () => {
  it('an activity is plain data: saved and read again at any step it is the same, and goes on as before', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 120 }), fc.nat({ max: 119 }), (steps, cut) => {
        const whole = steps.reduce<Activity>((activity, step) => step(activity), noActivity)
        const half = steps.slice(0, cut).reduce<Activity>((activity, step) => step(activity), noActivity)
        const saved = JSON.parse(JSON.stringify(half)) as Activity
        expect(saved).toEqual(half)
        expect(steps.slice(cut).reduce<Activity>((activity, step) => step(activity), saved)).toEqual(whole)
      }),
    )
  })

  it('counts are never less than nothing, and what is kept stays bounded', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 200 }), (steps) => {
        const activity = steps.reduce<Activity>((before, step) => step(before), noActivity)
        for (const count of [activity.callsInTask, activity.callsSinceProgress, activity.vetoes])
          expect(count).toBeGreaterThanOrEqual(0)
        expect(activity.callsSinceProgress).toBeLessThanOrEqual(activity.callsInTask)
        expect(activity.calls.length).toBeLessThanOrEqual(keptCalls)
        expect(activity.replies.length).toBeLessThanOrEqual(keptReplies)
      }),
    )
  })
})
