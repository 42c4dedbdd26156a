import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { excerptOf } from './excerpt.ts'

const shown = (task: string, paths: readonly string[], read = (path: string): string | null => path) =>
  excerptOf({ task, paths, checks: [], read })

describe('given a tree', () => {
  it('what the task names comes first, then what shares its words', () => {
    const { paths } = shown('total() in src/price.js must count every quantity', [
      'docs/a/b/c/d.md',
      'lib/quantity.js',
      'src/price.js',
      'package.json',
    ])
    expect(paths).toEqual(['src/price.js', 'package.json', 'lib/quantity.js', 'docs/a/b/c/d.md'])
  })

  it('nothing that holds secrets is listed or read, and no asset is read', () => {
    const secrets = ['.env', 'config/.env.local', 'server.pem', '.npmrc', 'keys/id_rsa']
    const { paths, files } = shown('look', [...secrets, '.env.example', 'logo.png', 'package-lock.json'])
    expect(paths).toEqual(['.env.example', 'logo.png', 'package-lock.json'])
    expect(files.map(({ path }) => path)).toEqual(['.env.example'])
  })

  it('it is bounded, however large the tree is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 0, max: 20_000 }), (count, length) => {
        const paths = Array.from({ length: count }, (_, index) => `src/${index}.js`)
        const excerpt = shown('look', paths, () => 'x'.repeat(length))
        expect(excerpt.paths.length + excerpt.omittedPaths).toBe(count)
        expect(excerpt.paths.length).toBeLessThanOrEqual(400)
        expect(excerpt.files.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(60_000)
      }),
      { numRuns: 20 },
    )
  })

  it('what cannot be read is left out', () => {
    expect(shown('look', ['a.js', 'b.js'], (path) => (path === 'a.js' ? null : 'b')).files).toEqual([
      { path: 'b.js', text: 'b' },
    ])
  })
})
