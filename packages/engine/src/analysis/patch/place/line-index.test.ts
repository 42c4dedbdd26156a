import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineSeeker } from '../seek.ts'
import { soughtFile } from './sought-file.ts'

describe('given many searches in one file', () => {
  it('finds the same places as going through all its lines', () => {
    const line = fc.constantFrom('a', 'b', ' a', 'b ', '', '\u2013', '-')
    const lines = fc.array(line, { maxLength: 20 })
    const pattern = fc.array(line, { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(lines, fc.array(fc.tuple(pattern, fc.boolean()), { maxLength: 8 }), (texts, searches) => {
        const file = soughtFile(
          'a',
          texts.map((text) => ({ text, end: '\n' })),
        )
        const seeker = lineSeeker(texts)
        for (const [wanted, atEnd] of searches)
          expect(file.places(wanted, { atEnd })).toEqual(seeker.places(wanted, { atEnd }))
      }),
      { numRuns: 500 },
    )
  })
})
