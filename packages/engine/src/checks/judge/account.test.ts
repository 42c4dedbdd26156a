import { verdictGiven } from '@donecheck/core/internal/testing/facts'
import type { RunEvent } from '@donecheck/core/internal/events'
import { describe, expect, it } from 'vitest'
import { passedVerdict, stamp } from '@donecheck/core/testing'
import { judgeAccount } from './call-judge.ts'

const cheap = { tokens: 10, costUsd: 0.4 }
const said = {
  kind: 'judge',
  judge: 'j',
  said: 'met',
  reason: '',
  quotes: [],
  tokens: 5,
  costUsd: 0.4,
} as const

const nobody = { runId: '', events: [] }
const payerOf = (events: readonly RunEvent[]) => ({ runId: 'run-1', events })

describe('given a cap of a dollar', () => {
  it('sets the worst case aside, and gives back what was not needed', () => {
    const account = judgeAccount({ maxCostUsd: 1 })
    const first = account.reserve(nobody, cheap)
    const second = account.reserve(nobody, cheap)
    expect(account.reserve(nobody, cheap)).toMatch(
      /^the judges' budget of \$1 is used up: \$0\.8000 are spent or set aside/,
    )
    for (const reservation of [first, second])
      if (typeof reservation !== 'string') reservation.settle({ tokens: 1, costUsd: 0.1 })
    expect(typeof account.reserve(nobody, cheap)).toBe('object')
  })

  it('counts what the record of a resumed run tells, each run for itself', () => {
    const account = judgeAccount({ maxCostUsd: 1 })
    const spent = [verdictGiven(passedVerdict('a', { evidence: [said, said] }))]
    expect(account.reserve(payerOf(stamp(spent)), cheap)).toMatch(/\$0\.8000 are spent/)
    expect(
      typeof account.reserve({ runId: 'other', events: stamp([verdictGiven(passedVerdict('a'))]) }, cheap),
    ).toBe('object')
  })

  it('does not count twice what it has seen itself', () => {
    const account = judgeAccount({ maxCostUsd: 1 })
    const before = stamp([verdictGiven(passedVerdict('a', { evidence: [] }))])
    const reservation = account.reserve(payerOf(before), cheap)
    if (typeof reservation !== 'string') reservation.settle(cheap)
    const after = stamp([verdictGiven(passedVerdict('a', { evidence: [said] }))])
    expect(typeof account.reserve(payerOf(after), cheap)).toBe('object')
  })
})

it('given a cap on tokens, keeps to it where the price is unknown', () => {
  const account = judgeAccount({ maxTokens: 15 })
  expect(typeof account.reserve(nobody, { tokens: 10, costUsd: null })).toBe('object')
  expect(account.reserve(nobody, { tokens: 10, costUsd: null })).toMatch(/budget of 15 tokens is used up/)
})
