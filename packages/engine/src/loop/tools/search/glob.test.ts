import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchesGlob } from './list-files.ts'

describe('given a pattern for paths', () => {
  it.each([
    ['*.ts', 'a.ts', true],
    ['*.ts', 'src/deep/a.ts', true],
    ['*.ts', 'a.tsx', false],
    ['a?.ts', 'ab.ts', true],
    ['a?.ts', 'a.ts', false],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['src/**', 'src/deep/a.ts', true],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'src/deep/er/a.ts', true],
    ['./src/a.ts', 'src/a.ts', true],
    ['**/test/*', 'a/test/b', true],
    ['**/test/*', 'test/b', true],
    ['a[b].ts', 'a[b].ts', true],
    ['a.ts', 'xa.ts', false],
    ['漢?', '漢😀', true],
  ])('%j on %j: %s', (pattern, path, expected) => {
    expect(matchesGlob(path, pattern)).toBe(expected)
  })

  const name = fc.string({ unit: fc.constantFrom('a', 'b', '.'), minLength: 1, maxLength: 5 })
  const wild = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), minLength: 1, maxLength: 6 })
  test.prop([name, wild], { numRuns: 1_000 })(
    'agrees with the same pattern as an expression',
    (text, pattern) => {
      const source = pattern.replace(/[*]+|[?]/g, (joker) => (joker === '?' ? '.' : '.*'))
      expect(matchesGlob(text, pattern)).toBe(new RegExp(`^${source}$`).test(text))
    },
  )

  it('a pattern of many jokers ends', () => {
    expect(matchesGlob('a'.repeat(2_000), '*a'.repeat(400) + 'b')).toBe(false)
    expect(matchesGlob('a/'.repeat(1_000), '**/a/'.repeat(300) + 'b')).toBe(false)
  })
})
