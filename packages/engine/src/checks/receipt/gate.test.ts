import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { commandEvidence, failedVerdict, passedVerdict } from '@donecheck/core/testing'
import type { Evidence } from '@donecheck/core/internal/events/verdicts'
import { anyChange, change } from './fixtures/change-one-place.ts'
import { checkedRun, receiptOf, resealed, sourcesOf, tree, verdicts } from './fixtures/checked-run.ts'
import { admitReceipt, type GateResult } from './gate.ts'

const events = checkedRun()
const receipt = receiptOf(events)
const recorded = sourcesOf(events)
const treeAlone = {
  fingerprint: recorded.fingerprint,
  gitCommit: recorded.gitCommit,
  gitTree: recorded.gitTree,
}
const nothingMore = { requiredChecks: [] }
const signed = { ...nothingMore, signedBy: 'ci@example.org' }

function closedBy({ result, lines }: GateResult): readonly string[] {
  const names = lines.filter(({ status }) => status === 'differs').map(({ what }) => what)
  expect(result).toBe(names.length === 0 ? 'open' : 'closed')
  return names
}

describe('given the receipt of a verified run, on its tree', () => {
  it('opens where the record is here, or somebody who may has signed', () => {
    expect(closedBy(admitReceipt(receipt, recorded, nothingMore))).toEqual([])
    expect(closedBy(admitReceipt(receipt, treeAlone, signed))).toEqual([])
  })

  it('stays closed where neither is so', () => {
    expect(closedBy(admitReceipt(receipt, treeAlone, nothingMore))).toEqual(['gate: author'])
  })

  it('stays closed on another tree, and where there is none to compare with', () => {
    expect(closedBy(admitReceipt(receipt, { fingerprint: tree.before }, signed))).toEqual([
      'subject.0.digest.sha256',
      'gate: tree',
    ])
    expect(closedBy(admitReceipt(receipt, {}, signed))).toEqual(['gate: tree'])
  })

  it('opens on a git tree alone, where the receipt has it', () => {
    const { gitTree } = treeAlone
    expect(closedBy(admitReceipt(receipt, { gitTree }, signed))).toEqual([])
    expect(closedBy(admitReceipt(receipt, { gitTree: '0'.repeat(40) }, signed))).toContain(
      'subject.0.digest.gitTree',
    )
  })

  it('asks for the checks that are demanded, with a vote and on this tree', () => {
    const gate = (...requiredChecks: readonly string[]) =>
      closedBy(admitReceipt(receipt, recorded, { requiredChecks }))
    expect(gate('npm test')).toEqual([])
    expect(gate('npm test', 'npm run e2e')).toEqual(['gate: check npm run e2e'])
    // It looked before the checks wrote their files.
    expect(gate('tamper guard')).toEqual(['gate: check tamper guard'])
    // A name alone says nothing of what was run.
    expect(gate('npm test=npm test')).toEqual([])
    expect(gate('npm test=node --test', 'npm test=')).toEqual([
      'gate: check npm test',
      'gate: check npm test',
    ])
    const last = verdicts.map((verdict) =>
      verdict.verifier === 'npm test'
        ? passedVerdict('npm test', { qualifiers: ['shadow'], fingerprint: tree.after })
        : verdict,
    )
    const shadowed = checkedRun(last)
    const demands = { requiredChecks: ['npm test'] }
    expect(closedBy(admitReceipt(receiptOf(shadowed), sourcesOf(shadowed), demands))).toContain(
      'gate: check npm test',
    )
  })
})

describe('given a demand of a command', () => {
  const gate = (command: string, evidence: readonly Evidence[]) => {
    const said = verdicts.with(1, passedVerdict('npm test', { evidence, fingerprint: tree.after }))
    const run = checkedRun(said)
    const demands = { requiredChecks: [`npm test=${command}`] }
    return closedBy(admitReceipt(receiptOf(run), sourcesOf(run), demands))
  }
  const tests = commandEvidence({ command: 'CI=1 npm test' })

  it('opens only where the check ran that alone, and it ended well', () => {
    expect(gate('CI=1 npm test', [tests])).toEqual([])
    const closed = [
      gate('npm test', [tests]),
      gate('CI=1 npm test', []),
      gate('CI=1 npm test', [tests, commandEvidence({ command: 'true' })]),
      gate('CI=1 npm test', [commandEvidence({ command: 'CI=1 npm test', exitCode: 1 })]),
    ]
    for (const names of closed) expect(names).toEqual(['gate: check npm test'])
  })
})

describe('given a receipt that says less', () => {
  it('stays closed for an import, and for another outcome whoever signed it', () => {
    expect(
      closedBy(
        admitReceipt(
          resealed({ ...receipt, predicate: { ...receipt.predicate, imported: true } }),
          treeAlone,
          signed,
        ),
      ),
    ).toEqual(['gate: observed'])
    const failing = checkedRun(verdicts.with(1, failedVerdict('npm test')))
    expect(admitReceipt(receiptOf(failing), sourcesOf(failing), signed).result).toBe('closed')
    const ended = { ...receipt.predicate.end, outcome: 'failed', reason: 'verifier_failed_unrecoverable' }
    const failed = resealed({ ...receipt, predicate: { ...receipt.predicate, end: ended } })
    expect(closedBy(admitReceipt(failed, treeAlone, signed))).toEqual(['gate: outcome'])
  })

  test.prop([anyChange(receipt)], { numRuns: 300 })('stays closed for any one change', (changed) => {
    const forged = change(receipt, changed)
    fc.pre(forged !== undefined)
    expect(admitReceipt(forged, recorded, signed).result).toBe('closed')
    expect(admitReceipt(resealed(forged), treeAlone, nothingMore).result).toBe('closed')
  })

  test.prop([fc.jsonValue()])('stays closed for anything that is no receipt', (value) => {
    expect(admitReceipt(value, recorded, signed).result).toBe('closed')
    expect(admitReceipt({ ...receipt, predicate: value }, recorded, signed).result).toBe('closed')
  })
})
