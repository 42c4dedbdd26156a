/** Time: what counts as work, and what is kept for the last check. */
import { describe, expect, it } from 'vitest'
import {
  begun,
  checked,
  claimed,
  edited,
  failedVerdict,
  given,
  givenWith,
  timePassed,
  type Step,
  noCaps,
  standardJudgement,
} from '../../testing/index.ts'
import {
  modelCalled,
  modelFailed,
  modelProposed,
  modelReplied,
  toolCalled,
  toolReturned,
  turnEnded,
  verdictGiven,
  verificationStarted,
  approvalGiven,
  approvalRequested,
  subRunEnded,
  subRunStarted,
  tokens,
  toolCall,
} from '../../testing/facts.ts'
import { lastCheckMs } from './amounts.ts'
import { deadlineOf, allocate, affordableFinalSummaryTokens } from './reserve.ts'
import { type Caps, estimateTokens } from '../../budgets/index.ts'
import { hardCaps } from './hard-caps.ts'
import fc from 'fast-check'
import type { RunState } from '../../state/index.ts'
import { decide } from '../../decide/index.ts'

/** A run in which only the listed steps take time. */
const still = (choices: Parameters<typeof begun>[0], ...steps: readonly Step[]) =>
  givenWith({ stepMs: 0 }, begun(choices), ...steps)

const spent = (...steps: readonly Step[]) =>
  still({ verifiers: ['npm test'] }, ...steps).state.consumption.activeMs

describe('given time that passes', () => {
  it('counts as work in a model call, a tool and a check', () => {
    expect(spent(modelCalled(1), timePassed(7), modelProposed('a'))).toBe(7)
    expect(spent(modelCalled(1), timePassed(7), modelFailed())).toBe(7)
    expect(spent(modelCalled(1), modelProposed('a'), toolCalled('a'), timePassed(5), toolReturned('a'))).toBe(
      5,
    )
    expect(
      spent(
        claimed(1),
        verificationStarted('claim', 'npm test'),
        timePassed(9),
        verdictGiven(failedVerdict('npm test')),
      ),
    ).toBe(9)
  })

  it('counts as nothing while a person is asked or the provider is waited for, and as waiting between turns', () => {
    expect(
      spent(
        modelCalled(1),
        modelProposed('a'),
        approvalRequested('a'),
        timePassed(60_000),
        approvalGiven('a'),
      ),
    ).toBe(0)
    const wait = { type: 'wait-started', for: 'provider', untilMs: 0, reason: 'busy' } as const
    expect(
      spent(modelCalled(1), modelFailed(), wait, timePassed(500), { type: 'wait-ended' }, modelCalled(1, 2)),
    ).toBe(0)
    expect(spent(claimed(1), turnEnded(1), timePassed(3), modelCalled(2))).toBe(3)
  })
})

describe('given checks that took time', () => {
  const check = (ms: number, trigger: 'baseline' | 'change') => [
    verificationStarted(trigger, 'npm test'),
    timePassed(ms),
    verdictGiven(failedVerdict('npm test')),
  ]
  const run = (choices: Parameters<typeof begun>[0], ...steps: readonly Step[]) =>
    still({ verifiers: ['npm test'], ...choices }, ...steps)

  it('keeps the longest of all verifications for the last one', () => {
    const two = run({}, check(300, 'baseline'), edited(1, 'tree-1'), check(200, 'change'))
    expect(lastCheckMs(two.state)).toBe(300)
    expect(lastCheckMs(two.and(turnEnded(1), edited(2, 'tree-2'), check(400, 'change')).state)).toBe(400)
  })

  it('counts checks that ran at the same time once', () => {
    const both = still(
      { verifiers: ['a', 'b'] },
      verificationStarted('baseline', 'a', 'b'),
      timePassed(100),
      verdictGiven(failedVerdict('a', { durationMs: 100 })),
      timePassed(20),
      verdictGiven(failedVerdict('b', { durationMs: 120 })),
    )
    expect(lastCheckMs(both.state)).toBe(120)
  })

  it('keeps nothing in runs that were recorded before that was so', () => {
    expect(lastCheckMs(run({ reservesLastCheck: false }, check(300, 'baseline')).state)).toBe(0)
  })

  it('begins a call only where the last check still fits', () => {
    const at = (maxWallClockMs: number) =>
      run({ caps: { maxWallClockMs } }, check(300, 'baseline')).afterNotes().whenDecided()
    at(601).then({ kind: 'call-model' })
    at(600).then({ kind: 'stop', transition: { reason: 'hard_cap' } })
  })

  it('does not begin tools either', () => {
    run(
      { caps: { maxWallClockMs: 700 } },
      check(300, 'baseline'),
      modelCalled(1),
      timePassed(100),
      modelProposed('a'),
    )
      .afterNotes()
      .whenDecided()
      .then({ kind: 'refuse-tools', callIds: ['a'] })
  })

  it('breaks an effect off when only the time of the last check is left', () => {
    const { state } = run({ caps: { maxWallClockMs: 1000 } }, check(300, 'baseline'))
    expect(deadlineOf(state)).toBe(state.nowMs + 1000 - 300 - 300)
  })
})

describe('given no cap on time', () => {
  it('there is no deadline', () => {
    expect(deadlineOf(given(begun(), claimed(1), checked('claim')).state)).toBeNull()
  })
})

/** A run in the middle of a tool call, after 900 and 100 tokens. */
function calling(caps: Partial<Caps>, choices: Parameters<typeof begun>[0] = {}) {
  return given(
    begun({ caps, ...choices }),
    modelCalled(1),
    modelReplied({ usage: tokens(900, 100), costUsd: 0.0019, toolCalls: [toolCall('a', 'delegate')] }),
    toolCalled('a', 'execute', 'delegate'),
  )
}

const allocated = (run: ReturnType<typeof given>, atMost: Partial<Caps> = {}) => {
  const result = allocate(run.state, atMost)
  return result.kind === 'allocated' ? result.caps : result.cap
}

describe('given a cap, then a child has all but what the parent needs for its next step', () => {
  it.each<[keyof Caps, number, number]>([
    ['maxIterations', 10, 10 - 1 - 1],
    ['maxModelCalls', 10, 10 - 1 - 1],
    ['maxToolCalls', 10, 10 - 1],
    ['maxTokens', 5000, 5000 - 1000 - (1000 + 256)],
  ])('%s', (cap, limit, expected) => {
    expect(allocated(calling({ [cap]: limit }))).toEqual({ ...noCaps, [cap]: expected })
    const least = limit - expected
    expect(allocated(calling({ [cap]: least + 1 }))).toMatchObject({ [cap]: 1 })
    expect(allocate(calling({ [cap]: least }).state)).toMatchObject({ kind: 'too-little' })
  })

  it('cost, at its price', () => {
    const result = allocate(calling({ maxCostUsd: 1 }).state)
    const left = result.kind === 'allocated' ? result.caps.maxCostUsd : null
    expect(left).toBeCloseTo(1 - 0.0019 - 0.001 - 0.00256, 9)
  })

  it('time, and the last check', () => {
    const run = given(
      begun({ caps: { maxWallClockMs: 1000 }, verifiers: ['npm test'] }),
      checked('baseline', failedVerdict('npm test')),
      timePassed(90),
      modelCalled(1),
      modelProposed('a'),
      toolCalled('a'),
    )
    const { consumption, checkTime, settings } = run.state
    expect(checkTime.maxMs).toBeGreaterThan(0)
    expect(allocated(run)).toMatchObject({
      maxWallClockMs: (settings.caps.maxWallClockMs ?? 0) - consumption.activeMs - checkTime.maxMs,
    })
  })
})

describe('given what a child is to have at most', () => {
  it('has no more, and no more than is left', () => {
    expect(allocated(calling({ maxIterations: 10 }), { maxIterations: 3, maxTokens: 500 })).toEqual({
      ...noCaps,
      maxIterations: 3,
      maxTokens: 500,
    })
    expect(allocated(calling({ maxIterations: 10 }), { maxIterations: 50 })).toMatchObject({
      maxIterations: 8,
    })
  })

  it('shares the caps of single tools, and may have its own', () => {
    const run = calling({ maxCallsPerTool: { delegate: 4, web_search: 2 } })
    const own = { maxCallsPerTool: { web_search: 1, fetch: 9 } }
    expect(allocated(run, own)).toMatchObject({ maxCallsPerTool: { delegate: 3, web_search: 1, fetch: 9 } })
  })
})

describe('given children', () => {
  const stopsAt = (run: ReturnType<typeof given>) =>
    hardCaps.flatMap((rule) => {
      const finding = rule(run.state)
      return finding?.level === 'stop' ? [finding.rule] : []
    })

  it('reserves all that is allocated while one is open, and gives the rest back', () => {
    const open = calling({ maxToolCalls: 10 }).and(subRunStarted('c', 'a', { maxToolCalls: 9 }))
    expect(stopsAt(open)).toEqual(['cap:tool_calls'])
    expect(allocated(open)).toBe('tool_calls')
    const ended = open.and(subRunEnded('c', { toolCalls: 4 }))
    expect(stopsAt(ended)).toEqual([])
    expect(allocated(ended)).toMatchObject({ maxToolCalls: 5 })
  })

  it('gives nothing back where nobody knows', () => {
    const lost = calling({ maxToolCalls: 10 }).and(
      subRunStarted('c', 'a', { maxToolCalls: 9 }),
      subRunEnded('c', null),
    )
    expect(stopsAt(lost)).toEqual(['cap:tool_calls'])
  })

  it('counts their time once', () => {
    const run = calling({}).and(
      subRunStarted('c', 'a'),
      timePassed(5000),
      subRunEnded('c', { activeMs: 5000 }),
    )
    const before = calling({}).state.consumption
    expect(run.state.consumption.activeMs - before.activeMs).toBe(10 + 5000 + 10)
  })
})

/** A run after one turn whose next prompt is expected to have 1000 tokens. */
function once(caps: Partial<Caps>, inputTokens = 900, outputTokens = 100) {
  return given(
    begun({ caps, finalSummary: true, finalSummaryTokens: 500 }),
    modelCalled(1),
    modelReplied({ usage: tokens(inputTokens, outputTokens), costUsd: 0.0019 }),
    turnEnded(1),
  )
}

const stops = (state: RunState) => hardCaps.some((rule) => rule(state)?.level === 'stop')

describe('given a run with a final summary', () => {
  it('keeps one model call for it', () => {
    expect(stops(once({ maxModelCalls: 3 }).state)).toBe(false)
    expect(stops(once({ maxModelCalls: 2 }).state)).toBe(true)
  })

  it('keeps a prompt, in which the next reply stands too, and its own reply', () => {
    const least = 1000 + 1000 + 256 + (1000 + 256 + 256) + 500
    expect(stops(once({ maxTokens: least }).state)).toBe(false)
    expect(stops(once({ maxTokens: least - 1 }).state)).toBe(true)
  })

  it('keeps its price', () => {
    const nextUsd = ((1000 + 1512) * 1 + (256 + 500) * 10) / 1_000_000
    expect(stops(once({ maxCostUsd: 0.0019 + nextUsd + 1e-9 }).state)).toBe(false)
    expect(stops(once({ maxCostUsd: 0.0019 + nextUsd - 1e-9 }).state)).toBe(true)
  })

  it('keeps nothing before there is anything to summarise: the first call is made', () => {
    given(begun({ caps: { maxModelCalls: 1, maxTokens: 1200 }, finalSummary: true }))
      .afterNotes()
      .whenDecided()
      .then({ kind: 'call-model' })
  })

  it('gives the final summary what is left, its bound at most', () => {
    expect(affordableFinalSummaryTokens(once({}).state, '')).toBe(500)
    expect(affordableFinalSummaryTokens(once({ maxTokens: 2400 }).state, '')).toBe(400)
  })

  it.each<[string, Partial<Caps>]>([
    ['model calls', { maxModelCalls: 1 }],
    ['tokens', { maxTokens: 2255 }],
    ['cost', { maxCostUsd: 0.003 }],
  ])('leaves it out where it does not fit: %s', (_, caps) => {
    expect(affordableFinalSummaryTokens(once(caps).state, '')).toBeUndefined()
  })
})

const notice = 'x'.repeat(800)

describe('given any caps, a step that used all that it was given, and no tools', () => {
  const maybe = (max: number) => fc.option(fc.nat({ max }))
  const caps = fc.record({
    maxModelCalls: maybe(6),
    maxTokens: maybe(30_000),
    maxCostUsd: fc.option(fc.double({ min: 0, max: 0.1, noNaN: true })),
  })

  it('the final summary still fits, and within all of them', () => {
    fc.assert(
      fc.property(caps, fc.nat({ max: 5000 }), fc.nat({ max: 2000 }), (bounds, input, output) => {
        const before = once(bounds, input, output).afterNotes()
        const decision = decide(before.state, standardJudgement)
        if (decision.kind !== 'call-model') return
        const usage = tokens(input + output, decision.maxOutputTokens)
        const costUsd = (usage.inputTokens + usage.outputTokens * 10) / 1_000_000
        const after = before.and(modelCalled(2), modelReplied({ usage, costUsd }), turnEnded(2))
        const bound = affordableFinalSummaryTokens(after.state, notice)
        expect(bound).toBe(500)
        const prompt = usage.inputTokens + usage.outputTokens + estimateTokens(notice)
        const { inputTokens, outputTokens, costUsd: usedUsd, modelCalls } = after.state.consumption
        expect(inputTokens + outputTokens + prompt + 500).toBeLessThanOrEqual(bounds.maxTokens ?? Infinity)
        expect((usedUsd ?? 0) + (prompt + 5000) / 1_000_000).toBeLessThanOrEqual(
          (bounds.maxCostUsd ?? Infinity) + 1e-9,
        )
        expect(modelCalls + 1).toBeLessThanOrEqual(bounds.maxModelCalls ?? Infinity)
      }),
    )
  })
})
