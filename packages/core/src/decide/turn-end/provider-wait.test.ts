/** A provider that refuses calls: what the run waits for, and when it gives up. */
import { describe, expect, it } from 'vitest'
import { begun, given, timePassed, type Given, type RunChoices } from '../../testing/index.ts'
import { modelCalled, modelFailed, modelReplied, runResumed } from '../../testing/facts.ts'
import type { AgentFailure } from '../../events/index.ts'

type Failure = Partial<AgentFailure>

const busy: Failure = { kind: 'server-error', message: 'overloaded' }
const unreached: Failure = { kind: 'network', message: 'cannot be reached' }
const minuteMs = 60_000
const hourMs = 60 * minuteMs

function run(providerWaits = { providerMs: minuteMs, limitMs: hourMs }, choices: RunChoices = {}): Given {
  return given(begun({ providerWaits, ...choices }))
}

function refused(before: Given, failure: Failure = busy): Given {
  const { phase, turn, turnOpen } = before.state
  const attempt = phase.kind === 'retrying' ? phase.attempt + 1 : 1
  return before.and(modelCalled(turnOpen ? turn : turn + 1, attempt), modelFailed(failure))
}

function waitStarted(before: Given): Given {
  const { decision } = before.whenDecided()
  if (decision.kind !== 'wait' || decision.on !== 'provider')
    throw new TypeError(`${decision.kind} is decided`)
  const { for: awaited, untilMs, reason } = decision
  return before.and({ type: 'wait-started', for: awaited, untilMs, reason })
}

function waited(before: Given): Given {
  const started = waitStarted(before)
  const { phase, nowMs } = started.state
  const untilMs = phase.kind === 'retrying' ? phase.untilMs : nowMs
  return started.and(timePassed(Math.max(0, untilMs - nowMs)), { type: 'wait-ended' })
}

function resetsAtOf({ state: { phase } }: Given): number {
  return phase.kind === 'retrying' ? (phase.failure.resetsAtMs ?? 0) : 0
}

/** Refuses every call until the run gives up. */
function refusedToTheEnd(before: Given, failure: Failure) {
  let calls = 0
  for (let next = before; ;) {
    const { decision } = next.whenDecided()
    if (decision.kind === 'stop') return { transition: decision.transition, calls }
    if (decision.kind === 'call-model') calls += 1
    next = decision.kind === 'wait' ? waited(next) : refused(next, failure)
  }
}

describe('given a provider that is overloaded or limits the rate', () => {
  it('waits, then calls again in the same turn', () => {
    const once = refused(run())
    const untilMs = once.state.nowMs + 500
    once.whenDecided().then({ kind: 'wait', on: 'provider', for: 'provider', untilMs, reason: 'overloaded' })
    waited(once).whenDecided().then({ kind: 'call-model', turn: 1, attempt: 2 })
  })

  it('ends as an error once the next wait would be longer than all waits together may be', () => {
    const { transition, calls } = refusedToTheEnd(run(), busy)
    // 0.5 + 1 + 2 + 4 + 8 + 16 s, and 30 s more are too long.
    expect(calls).toBe(7)
    expect(transition).toMatchObject({ reason: 'error', outcome: 'error' })
    expect(transition.message).toBe('overloaded (tried 7 times). To wait longer: set waitForProvider')
  })

  it('ends at once where nothing is to be waited for', () => {
    expect(refusedToTheEnd(run({ providerMs: 0, limitMs: 0 }), busy).calls).toBe(1)
  })

  it('counts from the first refusal in a row, not over those that were answered between', () => {
    const answered = waited(refused(run({ providerMs: 1600, limitMs: 0 }))).and(
      modelCalled(1, 2),
      modelReplied({ finish: 'length' }),
    )
    expect(refusedToTheEnd(answered, busy).calls).toBe(2)
  })
})

describe('given an address that does not answer', () => {
  it('ends as an error in a few seconds where it never has', () => {
    const { transition, calls } = refusedToTheEnd(run({ providerMs: hourMs, limitMs: 0 }), unreached)
    expect(transition).toMatchObject({ reason: 'error', message: 'cannot be reached (tried 5 times)' })
    expect(calls).toBe(5)
  })

  it('waits for it where it has answered in this run: the network is gone for a while', () => {
    const answered = run({ providerMs: hourMs, limitMs: 0 }).and(
      modelCalled(1),
      modelReplied({ finish: 'length' }),
    )
    expect(refusedToTheEnd(answered, unreached).calls).toBeGreaterThan(100)
  })
})

describe('given replies of no use', () => {
  it.each(['cut-off', 'malformed'] as const)('asks four times for a reply that is %s', (kind) => {
    expect(refusedToTheEnd(run(), { kind, message: 'broken' })).toMatchObject({
      calls: 4,
      transition: { reason: 'error', message: 'broken (tried 4 times)' },
    })
  })
})

describe('given a usage limit', () => {
  const limited = (before: Given, inMs: number): Given =>
    refused(before, {
      kind: 'usage-limited',
      message: 'limit reached',
      resetsAtMs: before.state.nowMs + inMs,
    })

  it('waits for the reset and a moment more, however long a provider is waited for', () => {
    const once = limited(run({ providerMs: 0, limitMs: hourMs }), hourMs / 2)
    once.whenDecided().then({ kind: 'wait', on: 'provider', for: 'limit', untilMs: resetsAtOf(once) + 1000 })
    waited(once).whenDecided().then({ kind: 'call-model', attempt: 2 })
  })

  it('is blocked where it resets later than is waited for, and says when and how to resume', () => {
    const { decision } = limited(run(), 2 * hourMs).whenDecided()
    expect(decision).toMatchObject({ kind: 'stop', transition: { reason: 'blocked', outcome: 'blocked' } })
    const message = decision.kind === 'stop' ? decision.transition.message : ''
    expect(message).toMatch(
      /^limit reached\. The limit resets at 1970-01-01 02:16 UTC, later than waitForLimit allows\. Then: donecheck resume run-1$/,
    )
  })

  it('is waited for like a busy provider where nobody knows when it resets, and blocks the run in the end', () => {
    const end = refusedToTheEnd(run(), { kind: 'usage-limited', message: 'limit reached' })
    expect(end).toMatchObject({ calls: 7, transition: { reason: 'blocked' } })
  })

  it('bounds all waits together: a limit that is put off again and again is not waited for without an end', () => {
    let next = run({ providerMs: 0, limitMs: 3 * hourMs })
    let waits = 0
    for (; next.whenDecided().decision.kind !== 'stop'; waits += 1)
      next = limited(waits > 0 ? waited(next) : next, hourMs)
    expect(waits).toBe(3)
  })

  it('continues to wait until the same time after a crash, and says so again', () => {
    const crashed = waitStarted(limited(run(), hourMs / 2))
    const { phase } = crashed.state
    const resumed = crashed.and(timePassed(minuteMs), runResumed())
    const untilMs = phase.kind === 'retrying' ? phase.untilMs : 0
    resumed.whenDecided().then({ kind: 'wait', on: 'provider', for: 'limit', untilMs })
    expect(resumed.state.phase).toMatchObject({ wait: 'due' })
  })

  it('calls at once where the limit was reset while nobody worked at the run', () => {
    waitStarted(limited(run(), hourMs / 2))
      .and(timePassed(10 * hourMs), runResumed())
      .whenDecided()
      .then({ kind: 'call-model', attempt: 2 })
  })
})

describe('given time in which nobody could work', () => {
  const caps = { maxWallClockMs: minuteMs, maxIterations: 1, maxModelCalls: 1 }

  it('counts neither the wait nor the calls that the provider refused against any cap', () => {
    const later = waited(
      refused(run({ providerMs: hourMs, limitMs: 0 }, { caps }), {
        kind: 'rate-limited',
        retryAfterMs: hourMs / 2,
      }),
    )
    expect(later.state.consumption).toMatchObject({ iterations: 0, modelCalls: 0 })
    expect(later.state.consumption.activeMs).toBeLessThan(1000)
    later.afterNotes().whenDecided().then({ kind: 'call-model', turn: 1, attempt: 2 })
  })

  it('pays a reply that broke off: the provider had begun to work', () => {
    const { consumption } = refused(run(), { kind: 'cut-off' }).state
    expect(consumption).toMatchObject({ iterations: 1, modelCalls: 1 })
  })
})
