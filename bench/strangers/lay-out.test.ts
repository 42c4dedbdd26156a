import { describe, expect, it } from 'vitest'
import type { Placement } from '@donecheck/engine/sides'
import { openRepository } from './git.ts'
import { independentTree, isSameTree, treeWithEarlierTests, wholeTree, type LaidTree } from './lay-out.ts'
import { repositoryOf } from './repository-for-test.ts'
import { TreeReader } from './trees.ts'

const placed = (path: string, side: Placement['side']): [string, Placement] => [
  path,
  { path, side, reason: 'source', because: '' },
]
const textsOf = (tree: LaidTree) =>
  Object.fromEntries([...tree].map(([path, { content }]) => [path, content.toString()]))

describe('given a commit of both sides', () => {
  const reader = new TreeReader(
    openRepository(
      repositoryOf([
        { 'a.js': 'old', 'test/a.js': 'old', 'test/gone.js': 'old', 'kept.js': 'k' },
        { 'a.js': 'new', 'b.js': 'new', 'test/a.js': 'new', 'test/gone.js': null, 'test/b.js': 'new' },
      ]),
    ),
  )
  const [baseline, delivered] = [reader.read('HEAD~1'), reader.read('HEAD')]
  const placements = new Map([
    placed('a.js', 'product'),
    placed('b.js', 'product'),
    placed('test/a.js', 'check'),
    placed('test/b.js', 'check'),
    placed('test/gone.js', 'check'),
  ])
  const earlier = { 'a.js': 'new', 'b.js': 'new', 'kept.js': 'k', 'test/a.js': 'old', 'test/gone.js': 'old' }

  it('the independent tree has the product of the commit and the checks of its parent', () => {
    expect(textsOf(independentTree(baseline, delivered, placements, new Set()))).toEqual(earlier)
  })

  it('what is excused stands as it was delivered', () => {
    const tree = independentTree(
      baseline,
      delivered,
      placements,
      new Set(['test/a.js', 'test/b.js', 'test/gone.js']),
    )
    expect(isSameTree(tree, wholeTree(delivered))).toBe(true)
  })

  it('the oracle asks for the earlier tests by their paths alone', () => {
    const tree = treeWithEarlierTests(baseline, delivered, (path) => path.startsWith('test/'))
    expect(textsOf(tree)).toEqual(earlier)
    expect(isSameTree(tree, wholeTree(delivered))).toBe(false)
  })
})
