import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import type { RunEvent } from '@donecheck/core/internal/events'
import { anyChange, change, type Changed } from './fixtures/change-one-place.ts'
import { checkedRun, differing, receiptOf, resealed, sourcesOf } from './fixtures/checked-run.ts'
import type { Receipt } from './receipt.ts'
import { verifyReceipt, type ReceiptCheck } from './verify-receipt.ts'

const events = checkedRun()
const receipt = receiptOf(events)
const sources = sourcesOf(events)

/** Whether a line covers that location: equal, inside it, or containing it. */
function isNamed(check: ReceiptCheck, path: readonly string[]): boolean {
  const place = path.join('.')
  return differing(check).some(
    (what) => what === place || what.startsWith(`${place}.`) || place.startsWith(`${what}.`),
  )
}

/** Values that no event contains: only the receipt's own digest covers them. */
const reportedOnly = ['predicate.versions.receipt', 'predicate.versions.node', 'predicate.digest']

describe('given any one change of a receipt', () => {
  test.prop([anyChange(receipt)], { numRuns: 500 })('it is named', (changed) => {
    const forged = change(receipt, changed)
    fc.pre(forged !== undefined)
    const check = verifyReceipt(forged, sources)
    expect(check.result).toBe('differs')
    const isTold = reportedOnly.includes(changed.path.join('.')) && changed.how === 'another value'
    expect(isNamed(check, isTold ? ['predicate', 'digest'] : nameOf(changed))).toBe(true)
    expect(verifyReceipt(forged).result).toBe('differs')
  })

  test.prop([anyChange(receipt)], { numRuns: 500 })(
    'it is named although the digest was made anew, wherever an event or the tree tells',
    (changed) => {
      const forged = change(receipt, changed)
      fc.pre(forged !== undefined && typeof (forged as Receipt).predicate === 'object')
      fc.pre(!reportedOnly.some((place) => changed.path.join('.').startsWith(place)))
      const check = verifyReceipt(resealed(forged), sources)
      expect(isNamed(check, nameOf(changed))).toBe(true)
    },
  )
})

/** What is taken out of a list moves what follows it: the list is what is named. */
function nameOf({ path, how }: Changed): readonly string[] {
  return how === 'taken out' && /^\d+$/.test(path.at(-1) ?? '') ? path.slice(0, -1) : path
}

describe('given any one change of an event', () => {
  const place = fc
    .nat({ max: events.length - 1 })
    .chain((index) => anyChange(events[index]).map((changed) => ({ index, changed })))

  test.prop([place], { numRuns: 500 })('the chain differs', ({ index, changed }) => {
    const other = change(events[index], changed)
    fc.pre(other !== undefined)
    const check = verifyReceipt(receipt, { ...sources, events: events.with(index, other as RunEvent) })
    expect(check.result).toBe('differs')
    expect(differing(check)).toContain('predicate.chain.head')
  })
})
