import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countUnfinishedBytes, countContinuationBytes } from './utf8.ts'

const text = fc.string({ unit: 'binary', maxLength: 40 })

describe('given a text cut at any byte', () => {
  it('leaves whole characters in front when the unfinished bytes are taken off', () => {
    fc.assert(
      fc.property(text, fc.nat(), (whole, anywhere) => {
        const bytes = Buffer.from(whole)
        const cut = bytes.subarray(0, anywhere % (bytes.length + 1))
        const front = cut.subarray(0, cut.length - countUnfinishedBytes(cut)).toString()
        expect(bytes.toString().startsWith(front)).toBe(true)
        expect(cut.length - Buffer.byteLength(front)).toBeLessThan(4)
      }),
    )
  })

  it('leaves whole characters behind when the unstarted bytes are taken off', () => {
    fc.assert(
      fc.property(text, fc.nat(), (whole, anywhere) => {
        const bytes = Buffer.from(whole)
        const cut = bytes.subarray(anywhere % (bytes.length + 1))
        const back = cut.subarray(countContinuationBytes(cut)).toString()
        expect(bytes.toString().endsWith(back)).toBe(true)
      }),
    )
  })
})

describe('given bytes that are no text', () => {
  it('holds at most three of them back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
        expect(countUnfinishedBytes(bytes)).toBeLessThan(4)
        expect(countContinuationBytes(bytes)).toBeLessThan(4)
      }),
    )
  })
})
