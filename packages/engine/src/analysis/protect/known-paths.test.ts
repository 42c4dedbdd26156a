import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { conventionOf, type Known, mentions } from './known-paths.ts'

const known = everyPattern()

function everyPattern(): readonly Known[] {
  const all: Known[] = []
  conventionOf('', (_, one) => {
    all.push(one)
    return false
  })
  return all
}

describe('given a path that fits a pattern', () => {
  it.each(known.map((one) => [one[1].source.slice(0, 60), one] as const))('%s is looked at', (_, one) => {
    // Of what must not follow no text can be made.
    const plain = new RegExp(one[1].source.replace(String.raw`(?!.*\.(?:test|spec)\.)`, ''), 'u')
    fc.assert(
      fc.property(fc.stringMatching(plain), fc.boolean(), (path, isBig) => {
        const tried = isBig ? path.toUpperCase() : path
        if (one[1].test(tried)) expect(mentions(tried, one)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

describe('given any path', () => {
  const part = fc.oneof(
    fc.constantFrom(...known.flatMap(([mentioned]) => mentioned.split(' '))),
    fc.stringMatching(/^[\w.-]{0,6}$/),
    fc.constantFrom('/', '.ts', '.py', '.json', '.yml', '_', '-', 'Test', 'setup', '\u017f', '\u212a'),
  )

  it('it is what it is where every pattern is tried', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const path = parts.join('')
        expect(conventionOf(path)).toBe(conventionOf(path, () => true))
      }),
      { numRuns: 3_000 },
    )
  })

  it.each(['te\u017ft/a', 'e2e/moc\u212as/a', 'a/Te\u017ft/b.ts'])(
    '%s is looked at: a letter beyond ASCII may be one within it',
    (path) => expect(conventionOf(path)).toBe(conventionOf(path, () => true)),
  )
})
