import { describe, expect, it } from 'vitest'
import type { VerdictQualifier, VerdictStatus } from '@donecheck/core/internal/events/verdicts'
import type { VerifierResult } from '../../../ports/checks.ts'
import { commandEvidence } from '@donecheck/core/testing'
import { manualClock } from '../../../testing/index.ts'
import { askUntilSettled, type Asking } from './ask-again.ts'

function report(status: VerdictStatus, ...qualifiers: readonly VerdictQualifier[]): VerifierResult {
  return { status, reason: `it ${status}`, canRetry: true, qualifiers, evidence: [] }
}

/** Returns one report after the other; the last one repeats. */
function answers(...reports: readonly VerifierResult[]) {
  let calls = 0
  const ask = async () => {
    calls += 1
    return reports[Math.min(calls, reports.length) - 1] ?? report('error')
  }
  return { ask, calls: () => calls }
}

function settle(ask: () => Promise<VerifierResult>, changes: Partial<Asking> = {}) {
  return askUntilSettled({
    name: 'tests',
    ask,
    retry: { infrastructure: 2, failure: 0 },
    earlier: () => undefined,
    checking: { quarantine: [] },
    clock: manualClock(1_000_000, { autoAdvance: true }),
    signal: new AbortController().signal,
    ...changes,
  })
}

const down = report('error', 'infrastructure')

describe('given a first green', () => {
  const [red, green] = [report('failed'), report('passed')]

  it('is asked for once more after reds on other trees', async () => {
    const { ask, calls } = answers(green)
    expect(await settle(ask, { redBefore: 3 })).toMatchObject({ status: 'passed' })
    expect(calls()).toBe(2)
    expect(await settle(answers(green, red).ask, { redBefore: 1 })).toMatchObject({
      status: 'error',
      qualifiers: ['flaky'],
    })
  })

  it('is asked for more often with every red where the product may vary', async () => {
    const [first, later] = [answers(green), answers(green)]
    await settle(first.ask, { mayVary: true })
    await settle(later.ask, { mayVary: true, redBefore: 3 })
    expect([first.calls(), later.calls()]).toEqual([4, 7])
    const lucky = answers(green, green, green, red)
    expect(await settle(lucky.ask, { mayVary: true })).toMatchObject({ qualifiers: ['flaky'] })
  })
})

describe('given trouble with the environment', () => {
  it('it is tried again after a growing pause, and what then comes stands', async () => {
    const clock = manualClock(0, { autoAdvance: true })
    const { ask, calls } = answers(down, down, report('passed'))
    expect(await settle(ask, { clock })).toMatchObject({ status: 'passed' })
    expect(calls()).toBe(3)
    expect(clock.nowMs()).toBe(500 + 2000)
  })

  it('when it does not pass, it stays undecided', async () => {
    const { ask, calls } = answers(down)
    expect(await settle(ask)).toMatchObject({ status: 'error', qualifiers: ['infrastructure'] })
    expect(calls()).toBe(3)
  })

  it.each([
    ['a program that is not there', { exitCode: 127 }],
    ['a program that may not run', { exitCode: 126 }],
    ['a time limit', { exitCode: null, timedOut: true }],
  ])('%s is not tried again', async (_, end) => {
    const { ask, calls } = answers({ ...down, evidence: [commandEvidence(end)] })
    await settle(ask)
    expect(calls()).toBe(1)
  })
})

describe('given a failure', () => {
  const retry = { infrastructure: 0, failure: 2 }

  it('when a further try passes, it is flaky and does not verify', async () => {
    const { ask } = answers(report('failed'), report('passed'))
    const said = await settle(ask, { retry })
    expect(said).toMatchObject({ status: 'error', qualifiers: ['flaky'] })
    expect(said.reason).toContain('it failed 1 of 2 times on the same tree')
  })

  it('after an earlier pass on the same tree it stays a failure, and is called flaky', async () => {
    const { ask } = answers(report('failed'))
    expect(await settle(ask, { earlier: () => 'passed' })).toMatchObject({
      status: 'failed',
      qualifiers: ['flaky'],
    })
  })
})

describe('given a pass after an earlier failure on the same tree', () => {
  it('it is confirmed twice before it is believed', async () => {
    const { ask, calls } = answers(report('passed'))
    const said = await settle(ask, { earlier: () => 'failed' })
    expect(said).toMatchObject({ status: 'passed', qualifiers: [] })
    expect(said.reason).toContain('it passed 3 times in a row after 1 failure on the same tree')
    expect(calls()).toBe(3)
  })

  it('a failure among the confirmations makes it flaky', async () => {
    const { ask } = answers(report('passed'), report('failed'))
    const said = await settle(ask, { earlier: () => 'failed' })
    expect(said).toMatchObject({ status: 'error', qualifiers: ['flaky'] })
    expect(said.reason).toContain('it failed 2 of 3 times')
  })
})

describe('given a check that was found to be flaky on the same tree', () => {
  it('one pass does not wash it clean', async () => {
    const { ask } = answers(report('passed'))
    expect(await settle(ask, { earlier: () => 'flaky' })).toMatchObject({
      status: 'error',
      qualifiers: ['flaky'],
    })
  })
})

describe('given a quarantine', () => {
  const quarantined = (until: string) => ({
    quarantine: [{ check: 'tests', by: 'mia', until, reason: 'a race in the runner' }],
  })
  const retry = { infrastructure: 0, failure: 1 }

  it('a flaky check is left out until its day, with words', async () => {
    const { ask } = answers(report('failed'), report('passed'))
    const said = await settle(ask, { retry, checking: quarantined('1970-01-01') })
    expect(said).toMatchObject({ status: 'skipped', qualifiers: ['flaky', 'waived'] })
    expect(said.reason).toContain('by mia until 1970-01-01: a race in the runner')
  })

  it('one that has expired holds nothing back', async () => {
    const { ask } = answers(report('failed'), report('passed'))
    expect(await settle(ask, { retry, checking: quarantined('1969-12-31') })).toMatchObject({
      status: 'error',
    })
  })
})
