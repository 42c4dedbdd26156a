import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { digestOfTree, type TreeEntry } from './tree-entry.ts'

const pathPart = fc.string({
  unit: fc.constantFrom('a', 'b', '/', ' ', '\n', '\u00ff'),
  minLength: 1,
  maxLength: 4,
})
const entry: fc.Arbitrary<TreeEntry> = fc.record({
  path: pathPart,
  kind: fc.constantFrom('file', 'executable', 'symlink', 'other', 'unreadable'),
  digest: fc.constantFrom('', '00', 'ff', 'EACCES:1'),
  mode: fc.constant(0o644),
  sizeBytes: fc.constant(0),
})
const tree = fc.uniqueArray(entry, { selector: ({ path }) => path, maxLength: 5 })

function canonical(entries: readonly TreeEntry[]): string {
  return JSON.stringify(entries.map(({ path, kind, digest }) => [path, kind, digest]).sort())
}

describe('the digest of a tree', () => {
  test.prop([tree, fc.func(fc.nat())])('does not depend on the order of entries', (entries, weight) => {
    const shuffled = [...entries].sort((one, other) => weight(one.path) - weight(other.path))
    expect(digestOfTree(shuffled)).toBe(digestOfTree(entries))
  })

  test.prop([tree, tree])('is equal exactly when the trees are', (one, other) => {
    expect(digestOfTree(one) === digestOfTree(other)).toBe(canonical(one) === canonical(other))
  })
})
