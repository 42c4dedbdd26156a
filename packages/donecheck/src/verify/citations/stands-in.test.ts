import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { standsIn } from './stands-in.ts'

const document =
  'Checkpoints snapshot each iteration, so a run resumes\nfrom a known-good point. “Memory”, they’d say, is stale. Untrue claims… are not facts.'

describe('given a quotation and a document', () => {
  it.each([
    ['Checkpoints snapshot each iteration', true],
    ['a run resumes from a known‑good point', true],
    ['"Memory", they\'d say, is stale', true],
    ['Checkpoints … known-good point', true],
    ['Checkpoints [...] iteration, so … is stale.', true],
    ['is stale,', true],
    ['checkpoints snapshot', false],
    ['true claims', false],
    ['Checkpoints snapshot each iterat', false],
    ['known-good point … Checkpoints', false],
    ['a run never resumes', false],
    ['…', false],
    ['', false],
  ])('says whether %j stands in it: %s', (quote, stands) => {
    expect(standsIn(quote, document)).toBe(stands)
  })

  it('does not let an ellipsis join what stands far apart', () => {
    const far = `We did not ${'x '.repeat(300)} succeed`
    expect(standsIn('We did … succeed', far)).toBe(false)
    expect(standsIn('We did … succeed', 'We did not really succeed')).toBe(true)
  })

  it('takes a later place of the first part where the earliest is too far away', () => {
    expect(standsIn('one … two', `one ${'x '.repeat(300)} one and two`)).toBe(true)
  })

  it('finds every run of whole words of a document, however it is spaced', () => {
    const word = fc.stringMatching(/^[a-z]{1,6}$/)
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 3, maxLength: 20 }),
        fc.nat(),
        fc.nat(),
        (words, one, other) => {
          const from = one % words.length
          const length = 1 + (other % (words.length - from))
          expect(standsIn(words.slice(from, from + length).join('\n  '), words.join(' '))).toBe(true)
          expect(standsIn([...words, 'never7'].join(' '), words.join(' '))).toBe(false)
        },
      ),
    )
  })
})
