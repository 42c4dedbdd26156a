/** Every cap at its boundary: a limit of n never makes an n+1 (I9), and nothing is reported below 80%. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RunState } from '../../state/index.ts'
import type { CapName, Caps } from '../../budgets/index.ts'
import {
  externalAgent,
  begun,
  claimed,
  edited,
  given,
  timePassed,
  standardJudgement,
  type Given,
  type Step,
} from '../../testing/index.ts'
import {
  modelCalled,
  modelFailed,
  modelProposed,
  modelReplied,
  tokens,
  toolCalled,
  toolReturned,
  turnEnded,
  budgetAdded,
  runResumed,
  toolCall,
  toolRefused,
} from '../../testing/facts.ts'
import { decide } from '../../decide/index.ts'
import { deadlineOf, affordableOutputTokens } from './reserve.ts'
import { hardCaps, callsPerToolCap } from './hard-caps.ts'
import { expectedPromptTokens, smallestReplyTokens } from './amounts.ts'
import type { ToolCall } from '../../events/index.ts'

function findingsOf(state: RunState) {
  return hardCaps.flatMap((rule) => rule(state) ?? [])
}

function capped(caps: Partial<Caps>, ...steps: readonly Step[]): Given {
  return given(begun({ caps }), ...steps)
}

function turns(count: number): readonly Step[] {
  return Array.from({ length: count }, (_, index) => [claimed(index + 1), turnEnded(index + 1)])
}

/** The provider had begun to answer: the call counts. */
const cutOff = modelFailed({ kind: 'cut-off' })

const read = (callId: string) => [toolCalled(callId, 'read'), toolReturned(callId)]

/** After a reply to 900 tokens with 100. */
function replied(caps: Partial<Caps>): Given {
  return capped(caps, modelCalled(1), modelReplied({ usage: tokens(900, 100) }), turnEnded(1))
}

/** A run at the edge of each cap: with this limit the next step fits, with one less it does not. */
const edges: readonly (readonly [string, (limit: number) => Given, number])[] = [
  ['iterations', (maxIterations) => capped({ maxIterations }, turns(2)), 3],
  [
    'model_calls',
    (maxModelCalls) => capped({ maxModelCalls }, modelCalled(1), cutOff, modelCalled(1, 2), cutOff),
    3,
  ],
  [
    'tool_calls',
    (maxToolCalls) =>
      capped({ maxToolCalls }, modelCalled(1), modelProposed('a', 'b', 'c'), read('a'), read('b')),
    3,
  ],
  ['tokens', (maxTokens) => replied({ maxTokens }), 1000 + 1000 + 256],
  [
    'wall_clock',
    (maxWallClockMs) => capped({ maxWallClockMs }, timePassed(970), claimed(1), turnEnded(1)),
    1021,
  ],
]

describe.each(edges)('given a run at the edge of its %s', (cap, runWith, limit) => {
  it('takes the last step that fits', () => {
    expect(findingsOf(runWith(limit).state).filter(({ level }) => level === 'stop')).toEqual([])
  })

  it('does not take one more', () => {
    expect(findingsOf(runWith(limit - 1).state)).toMatchObject([
      { rule: `cap:${cap}`, level: 'stop', stop: { reason: 'hard_cap', cap } },
    ])
  })
})

describe('given a run that has not begun', () => {
  it.each<[CapName, Partial<Caps>]>([
    ['iterations', { maxIterations: 0 }],
    ['model_calls', { maxModelCalls: 0 }],
    ['tokens', { maxTokens: 300 }],
    ['cost', { maxCostUsd: 0.0001 }],
    ['wall_clock', { maxWallClockMs: 10 }],
  ])('does not make the first call where even that does not fit: %s', (cap, caps) => {
    capped(caps)
      .afterNotes()
      .whenDecided()
      .then({ kind: 'stop', transition: { reason: 'hard_cap', cap } })
  })
})

describe('given a cap on cost', () => {
  const call = (costUsd: number | null, maxCostUsd: number) =>
    capped({ maxCostUsd }, modelCalled(1), modelReplied({ usage: tokens(900, 100), costUsd }), turnEnded(1))

  /** The next prompt of 1000 tokens at $1, the smallest reply of 256 at $10 a million. */
  const nextUsd = 0.001 + 0.00256

  it('reserves the price of the next prompt and of the smallest reply', () => {
    expect(findingsOf(call(0.5, 0.5 + nextUsd + 1e-9).state)).toMatchObject([{ level: 'warn' }])
    expect(findingsOf(call(0.5, 0.5 + nextUsd - 1e-6).state)).toMatchObject([
      { level: 'stop', stop: { cap: 'cost' } },
    ])
  })

  it('is not lost with a call whose cost nobody knows', () => {
    expect(findingsOf(call(null, 5).state)).toMatchObject([{ level: 'stop', stop: { cap: 'cost' } }])
  })

  it('cannot be held where no price is known', () => {
    const { state } = given(begun({ agent: { prices: null }, caps: { maxCostUsd: 0.01 } }), turns(1))
    expect(findingsOf(state)).toEqual([])
  })
})

describe('given caps that are switched off', () => {
  it('does not hold an agent that cannot report its tokens', () => {
    expect(
      findingsOf(given(begun({ agent: externalAgent, caps: { maxTokens: 1 } }), turns(1)).state),
    ).not.toContainEqual(expect.objectContaining({ level: 'stop' }))
  })
})

describe('given four fifths of a cap', () => {
  it('warns once in a run', () => {
    const near = capped({ maxIterations: 10 }, turns(8))
    near.whenDecided().then({ kind: 'note' })
    near.afterNotes().whenDecided().then({ kind: 'call-model', turn: 9 })
    const later = near.afterNotes().and(claimed(9), turnEnded(9))
    later.whenDecided().then({ kind: 'call-model', turn: 10 })
  })

  it('gives the numbers', () => {
    expect(findingsOf(capped({ maxIterations: 5 }, turns(4)).state)).toMatchObject([
      { numbers: { used: 4, limit: 5 }, message: '4 of 5 turns used' },
    ])
  })
})

describe('given a batch of tool calls over the cap', () => {
  it('cuts it to what fits, then refuses the rest', () => {
    const batch = capped({ maxToolCalls: 2 }, modelCalled(1), modelProposed('a', 'b', 'c', 'd')).afterNotes()
    batch.whenDecided().then({ kind: 'run-tools', callIds: ['a', 'b'] })
    batch
      .and(read('a'), read('b'))
      .afterNotes()
      .whenDecided()
      .then({ kind: 'refuse-tools', callIds: ['c', 'd'] })
  })
})

describe('given the reserve for the next call', () => {
  it('leaves the reply what the token cap leaves', () => {
    const { state } = capped(
      { maxTokens: 4000 },
      modelCalled(1),
      modelReplied({ usage: tokens(1400, 100) }),
      turnEnded(1),
    )
    expect(expectedPromptTokens(state)).toBe(1500)
    expect(affordableOutputTokens(state)).toBe(4000 - 1500 - 1500)
  })

  it('leaves the reply what the cost cap leaves', () => {
    const { state } = capped(
      { maxCostUsd: 0.02 },
      modelCalled(1),
      modelReplied({ usage: tokens(900, 100), costUsd: 0.009 }),
      turnEnded(1),
    )
    expect(affordableOutputTokens(state)).toBe(1000)
  })

  it('never asks for more than the agent gives, nor for less than a useful reply', () => {
    fc.assert(
      fc.property(fc.nat({ max: 20_000 }), fc.nat({ max: 20_000 }), (maxTokens, inputTokens) => {
        const { state } = capped(
          { maxTokens },
          modelCalled(1),
          modelReplied({ usage: tokens(inputTokens, 10) }),
          turnEnded(1),
        )
        const asked = affordableOutputTokens(state)
        expect(asked).toBeGreaterThanOrEqual(smallestReplyTokens)
        expect(asked).toBeLessThanOrEqual(state.agent.maxOutputTokens)
      }),
    )
  })

  it('never lets prompt and reply together pass the token cap', () => {
    fc.assert(
      fc.property(fc.nat({ max: 20_000 }), fc.nat({ max: 20_000 }), (maxTokens, inputTokens) => {
        const { state } = capped(
          { maxTokens },
          modelCalled(1),
          modelReplied({ usage: tokens(inputTokens, 10) }),
          turnEnded(1),
        ).afterNotes()
        const decision = decide(state, standardJudgement)
        if (decision.kind !== 'call-model') return
        const worst = inputTokens + 10 + expectedPromptTokens(state) + decision.maxOutputTokens
        expect(worst).toBeLessThanOrEqual(maxTokens)
      }),
    )
  })

  it('counts a prompt no larger than what fits into the window', () => {
    const agent = { contextWindowTokens: 10_000, maxOutputTokens: 2000 }
    const { state } = given(
      begun({ agent }),
      modelCalled(1),
      modelReplied({ usage: tokens(50_000, 10) }),
      turnEnded(1),
    )
    expect(expectedPromptTokens(state)).toBe(8000)
  })
})

describe('given a cap on the wall clock', () => {
  it('gives every effect the time at which it must end', () => {
    const run = capped({ maxWallClockMs: 60_000 }, edited(1, 'tree-1'), turnEnded(1))
    const { nowMs, consumption } = run.state
    expect(deadlineOf(run.state)).toBe(nowMs + 60_000 - consumption.activeMs)
    run.whenDecided().then({ kind: 'call-model', deadlineMs: nowMs + 60_000 - consumption.activeMs })
  })
})

/** A state during a call with no cap reached, in which every cap may warn. */
function used(part: Partial<RunState['consumption']>, caps: Partial<Caps>): RunState {
  const { state } = given(begun())
  const settings = { ...state.settings, caps: { ...state.settings.caps, ...caps } }
  return {
    ...state,
    settings,
    phase: { kind: 'calling', attempt: 1, refusedSinceMs: undefined },
    consumption: { ...state.consumption, ...part },
  }
}

const cases: readonly (readonly [string, (share: number) => RunState])[] = [
  ['iterations', (n) => used({ iterations: n * 100 }, { maxIterations: 100 })],
  ['model_calls', (n) => used({ modelCalls: n * 100 }, { maxModelCalls: 100 })],
  ['tool_calls', (n) => used({ toolCalls: n * 100 }, { maxToolCalls: 100 })],
  ['tokens', (n) => used({ inputTokens: n * 10_000 }, { maxTokens: 10_000 })],
  ['cost', (n) => used({ costUsd: n * 10 }, { maxCostUsd: 10 })],
  ['wall_clock', (n) => used({ activeMs: n * 1000 }, { maxWallClockMs: 1000 })],
]

describe('given any cap', () => {
  it.each(cases)('%s warns at 80 %%, and not just below', (cap, at) => {
    const reported = (state: RunState) =>
      hardCaps.flatMap((rule) => rule(state) ?? []).filter(({ rule }) => rule === `cap:${cap}`)
    expect(reported(at(0.8))).toMatchObject([{ level: 'warn' }])
    expect(reported(at(0.79))).toEqual([])
    expect(reported(at(0.7999))).toEqual([])
  })
})

const search = (callId: string) => toolCall(callId, 'web_search', { query: callId })
const done = (callId: string, tool = 'web_search') => [toolCalled(callId, 'read', tool), toolReturned(callId)]

/** A run with this many searches, one a turn. */
function searched(times: number, limit: number, caps = {}) {
  const turns = Array.from({ length: times }, (_, index): Step => {
    const callId = `s${index + 1}`
    return [modelCalled(index + 1), modelProposed(search(callId)), done(callId), turnEnded(index + 1)]
  })
  return given(begun({ caps: { maxCallsPerTool: { web_search: limit }, ...caps } }), turns)
}

describe('given a cap of 2 searches', () => {
  const batch = (...calls: readonly (string | ToolCall)[]) =>
    searched(1, 2).and(modelCalled(2), modelProposed(...calls))

  it('refuses the third, and says why to the agent', () => {
    const over = batch(search('x'), search('y')).and(done('x')).afterNotes()
    over.whenDecided().then({
      kind: 'refuse-tools',
      callIds: ['y'],
      reason: 'the cap of 2 calls of web_search is reached; go on without it',
    })
  })

  it('cuts a batch at the call that does not fit, so that answers keep their order', () => {
    const mixed = batch(search('x'), search('y'), 'edit', search('z'), 'edit2').afterNotes()
    const after = (...steps: readonly Step[]) =>
      mixed
        .and(...steps)
        .afterNotes()
        .whenDecided()
    after().then({ kind: 'run-tools', callIds: ['x'] })
    after(done('x')).then({ kind: 'refuse-tools', callIds: ['y'] })
    const edits = [done('x'), toolRefused('y', 'cap')]
    after(edits).then({ kind: 'run-tools', callIds: ['edit'] })
    after(edits, done('edit', 'write_file')).then({ kind: 'refuse-tools', callIds: ['z'] })
    after(edits, done('edit', 'write_file'), toolRefused('z', 'cap')).then({
      kind: 'run-tools',
      callIds: ['edit2'],
    })
  })

  it('does not count a call that was refused by somebody else', () => {
    batch(search('x'), search('y'))
      .and(toolRefused('x', 'gate'))
      .afterNotes()
      .whenDecided()
      .then({ kind: 'run-tools', callIds: ['y'] })
  })
})

describe('given a cap of 5 searches', () => {
  it('says so at four fifths and at the end, each once, and never asks for an end', () => {
    const levels = [3, 4, 5].map((times) => callsPerToolCap(searched(times, 5).state)?.level)
    expect(levels).toEqual([undefined, 'note', 'warn'])
    expect(callsPerToolCap(searched(4, 5).afterNotes().state)).toBeUndefined()
    expect(callsPerToolCap(searched(5, 5).afterNotes().state)).toBeUndefined()
  })

  it('does not say it just below four fifths', () => {
    expect(callsPerToolCap(searched(8, 10).state)).toMatchObject({ level: 'note', key: 'web_search' })
    expect(callsPerToolCap(searched(7, 9).state)).toBeUndefined()
  })

  it('speaks of every tool by itself', () => {
    const both = given(
      begun({ caps: { maxCallsPerTool: { web_search: 1, write_file: 1 } } }),
      modelCalled(1),
      modelProposed(search('a'), 'b'),
      done('a'),
      done('b', 'write_file'),
    )
    const first = callsPerToolCap(both.state)
    expect(first?.key).toBe('web_search')
    if (first === undefined) throw new Error('there is a finding')
    expect(callsPerToolCap(both.and({ type: 'finding-noted', finding: first }).state)?.key).toBe('write_file')
  })

  it('takes more after a top-up, and says it again for the new bound', () => {
    const more = searched(5, 5)
      .afterNotes()
      .and(runResumed(), budgetAdded({ callsPerTool: { web_search: 1 } }))
    more
      .and(modelCalled(6), modelProposed(search('x')))
      .afterNotes()
      .whenDecided()
      .then({ kind: 'run-tools' })
    expect(callsPerToolCap(more.state)).toMatchObject({ level: 'note', numbers: { used: 5, limit: 6 } })
  })
})

describe('given a tool with the name of a property that every object has', () => {
  it('is not capped by it', () => {
    given(
      begun({ caps: { maxCallsPerTool: { web_search: 1 } } }),
      modelCalled(1),
      modelProposed(toolCall('a', 'constructor')),
    )
      .whenDecided()
      .then({ kind: 'run-tools', callIds: ['a'] })
  })
})
