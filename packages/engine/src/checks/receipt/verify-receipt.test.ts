import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import type { RunEvent } from '@donecheck/core/internal/events'
import { failedVerdict, passedVerdict, runStarted, stamp } from '@donecheck/core/testing'
import { modelCalled, modelClaimed, runResumed, runStopped } from '@donecheck/core/internal/testing/facts'
import {
  checkedRun,
  choices,
  differing,
  receiptOf,
  resealed,
  sourcesOf,
  tree,
  verdicts,
} from './fixtures/checked-run.ts'
import { verifyReceipt, type ReceiptCheck } from './verify-receipt.ts'

const events = checkedRun()
const receipt = receiptOf(events)
const sources = sourcesOf(events)

function statusOf(check: ReceiptCheck, what: string): string | undefined {
  return check.lines.find((line) => line.what === what)?.status
}

describe('given a receipt, its events and its tree', () => {
  it('matches in all that can be recomputed, and says what cannot', () => {
    const check = verifyReceipt(JSON.parse(JSON.stringify(receipt)), sources)
    expect(differing(check)).toEqual([])
    expect(check.result).toBe('matches')
    for (const what of [
      'predicate.digest',
      'predicate.chain.head',
      'predicate.chain.length',
      'predicate',
      'predicate.end.outcome',
      'subject.0.digest.sha256',
      'subject.0.digest.gitCommit',
    ])
      expect(statusOf(check, what), what).toBe('matches')
    expect(statusOf(check, 'predicate.versions.node')).toBe('not-checked')
  })

  it('is only partly checked without its events or without its tree', () => {
    for (const given of [{}, { events }, { fingerprint: tree.after }])
      expect(verifyReceipt(receipt, given).result).toBe('partly-checked')
    expect(statusOf(verifyReceipt(receipt), 'predicate')).toBe('not-checked')
    expect(statusOf(verifyReceipt(receipt, { events }), 'subject.0.digest.gitTree')).toBe('not-checked')
  })

  it('tells that the tree is another one by now', () => {
    const now = { ...sources, fingerprint: tree.before, gitCommit: '0'.repeat(40) }
    expect(differing(verifyReceipt(receipt, now))).toEqual([
      'subject.0.digest.sha256',
      'subject.0.digest.gitCommit',
    ])
  })

  it('tells that a waiver holds no longer: from the day after its last', () => {
    const lastMoment = Date.UTC(2027, 0, 1) - 1
    expect(differing(verifyReceipt(receipt, { ...sources, nowMs: lastMoment }))).toEqual([])
    expect(differing(verifyReceipt(receipt, { ...sources, nowMs: lastMoment + 1 }))).toEqual([
      'predicate.findings.0.waiver.until',
    ])
  })

  it('tells that the run has gone on since', () => {
    const more = stamp([runResumed(), runStopped('user_interrupt', { outcome: 'interrupted' })])
    const later = more.map((event, index) => ({ ...event, sequence: events.length + index + 1 }))
    const check = verifyReceipt(receipt, { ...sources, events: [...events, ...later] })
    expect(differing(check)).toEqual(['predicate.chain.length'])
  })
})

describe('given a receipt about an answer', () => {
  const answered = stamp([
    runStarted({ workFolder: null, verifiers: [{ name: 'schema', reads: 'answer' }] }),
    modelCalled(1),
    modelClaimed('{}'),
    runStopped('model_ended'),
  ])

  it('matches without a tree, and says nothing of one', () => {
    expect(verifyReceipt(receiptOf(answered), { events: answered }).result).toBe('matches')
    const check = verifyReceipt(receiptOf(answered), { events: answered, fingerprint: tree.after })
    expect(check.result).toBe('partly-checked')
    expect(statusOf(check, 'subject')).toBeDefined()
  })

  it('is of no other answer', () => {
    const other = answered.with(2, { ...answered[2], ...modelClaimed('{"a":1}') } as RunEvent)
    expect(differing(verifyReceipt(receiptOf(answered), { events: other }))).toEqual(
      expect.arrayContaining(['subject.0.digest.sha256', 'predicate.chain.head']),
    )
  })
})

describe('given a receipt that says more than its checks', () => {
  const outcomeLines = (...said: Parameters<typeof checkedRun>) =>
    verifyReceipt(receiptOf(checkedRun(...said))).lines.filter(
      ({ what, status }) => what === 'predicate.end.outcome' && status === 'differs',
    )

  it('is not believed without a single event', () => {
    expect(outcomeLines()).toEqual([])
    const oneFailed = verdicts.with(1, failedVerdict('npm test'))
    expect(outcomeLines(oneFailed).map(({ why }) => why)).toEqual(['npm test is required and has not passed'])
    const guardFailed = verdicts.with(0, failedVerdict('tamper guard'))
    expect(outcomeLines(guardFailed).map(({ why }) => why)).toEqual(['the guard tamper guard has not passed'])
    const optional = { ...choices, verifiers: ['lint', { name: 'npm test', required: false }] }
    const [nothing] = outcomeLines([passedVerdict('npm test')], optional)
    expect(nothing?.why).toBe('no required check has decided anything')
  })

  it('is caught where a copy with earlier files passes for what is delivered', () => {
    const forged = structuredClone(receipt)
    Object.assign(forged.predicate.checks[1]?.verdict ?? {}, { tree: 'independent-tree' })
    expect(differing(verifyReceipt(resealed(forged)))).toEqual(['predicate.checks.1.verdict.sameTree'])
    const withEvents = differing(verifyReceipt(resealed(forged), sources))
    expect(withEvents).toContain('predicate.checks.1.verdict.tree')
  })
})

describe('given something else than a receipt', () => {
  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'receipt'],
    ['a list', [receipt]],
    ['another statement', { ...receipt, predicateType: 'https://slsa.dev/provenance/v1' }],
    ['nesting without end', JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`) as unknown],
  ])('says what is wrong and never that it matches (%s)', (_, value) => {
    const check = verifyReceipt(value, sources)
    expect(check.result).toBe('differs')
    expect(check.lines[0]?.why).not.toBe('')
  })

  it('survives extra fields that are nested without end', () => {
    const deep = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`) as unknown
    expect(verifyReceipt({ ...receipt, deep }, sources).result).toBe('differs')
  })

  test.prop([fc.jsonValue()])('never throws', (value) => {
    expect(verifyReceipt(value, sources).result).toBe('differs')
    expect(verifyReceipt({ ...receipt, predicate: value }, sources).result).toBe('differs')
  })
})
