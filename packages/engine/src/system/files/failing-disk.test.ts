import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { commitChanges } from './commit-changes.ts'
import {
  changeFolder,
  failingHalfway,
  failingOnce,
  image,
  manyChanges,
  manyFiles,
  operationsOf,
  removeChangeFolders,
  treeOf,
  watchedDisk,
} from './fixtures/change-folder.ts'

afterEach(removeChangeFolders)

async function commitWithoutFailure() {
  const { root } = changeFolder(manyFiles)
  const before = treeOf(root)
  const count = await operationsOf((operations) => commitChanges(root, manyChanges, { operations }))
  return { before, count }
}

describe('given a disk on which one operation fails', () => {
  it('when it is any of them, then every file is what it was before', { timeout: 60_000 }, async () => {
    const { before, count } = await commitWithoutFailure()
    expect(count).toBeGreaterThan(20)
    for (let step = 1; step <= count; step++) {
      const { root } = changeFolder(manyFiles)
      const committed = await commitChanges(root, manyChanges, { operations: failingOnce(step) })
      expect(committed, `operation ${step} of ${count}`).toMatchObject({ kind: 'failed', rolledBack: true })
      expect(treeOf(root), `operation ${step} of ${count}`).toEqual(before)
    }
  })

  it('when it puts the third file in its place, then the first two are as they were', async () => {
    const files = { 'a.txt': image('a\n'), 'b.txt': image('b\n', 0o600), 'c.txt': image('c\n') }
    const { root } = changeFolder(files)
    const before = treeOf(root)
    const placed: string[] = []
    let renames = 0
    const operations = watchedDisk((_, name) => {
      if (name !== 'rename') return
      renames += 1
      if (renames === 3) {
        placed.push(...Object.values(treeOf(root)).filter((file) => file.endsWith('!\n')))
        throw new Error('EIO')
      }
    })
    const changes = Object.entries(files).map(([path, file]) => ({
      path,
      before: file,
      after: image(`${path}!\n`, file.mode),
    }))
    expect(await commitChanges(root, changes, { operations })).toEqual({
      kind: 'failed',
      problem: 'EIO',
      rolledBack: true,
    })
    expect(placed).toContain('644 a.txt!\n')
    expect(placed).toContain('600 b.txt!\n')
    expect(treeOf(root)).toEqual(before)
  })

  it('when taking it back fails too, then it says that files are in between', async () => {
    const { root } = changeFolder(manyFiles)
    let renames = 0
    const operations = watchedDisk((_, name) => {
      if (name === 'rename' && ++renames >= 3) throw new Error('EIO')
    })
    expect(await commitChanges(root, manyChanges, { operations })).toEqual({
      kind: 'failed',
      problem: 'EIO; taking it back: EIO',
      rolledBack: false,
    })
  })
})

describe('given a disk that is full in the middle of a file', () => {
  it('when any file is written, then every file is what it was before', { timeout: 60_000 }, async () => {
    const { before, count } = await commitWithoutFailure()
    let failures = 0
    for (let step = 1; step <= count; step++) {
      const { root } = changeFolder(manyFiles)
      const committed = await commitChanges(root, manyChanges, { operations: failingHalfway(step) })
      if (committed.kind === 'committed') continue
      failures += 1
      expect(committed, `operation ${step}`).toMatchObject({ kind: 'failed', rolledBack: true })
      expect(treeOf(root), `operation ${step}`).toEqual(before)
    }
    expect(failures).toBe(manyChanges.filter(({ after }) => after !== null).length)
  })
})

describe('given any files and any changes of them', () => {
  const text = fc.constantFrom('', 'x', 'y\n', 'long'.repeat(50))
  const mode = fc.constantFrom(0o644, 0o755, 0o600)
  const side = fc.option(fc.record({ text, mode }))
  const path = fc.constantFrom('a', 'b', 'd/a', 'd/b', 'd/e/a', 'f/a', 'g/h/i')
  const change = fc.record({ path, before: side, after: side })
  const changes = fc.uniqueArray(change, { selector: (one) => one.path, maxLength: 6 })

  test.prop([changes, fc.nat(40)], { numRuns: 60 })(
    'when an operation fails, then all files are old, and a second attempt makes all of them new',
    async (drawn, step) => {
      const set = drawn
        .filter(({ before, after }) => before !== null || after !== null)
        .map((one) => ({ path: one.path, before: imageOf(one.before), after: imageOf(one.after) }))
      const files = set.flatMap((one) => (one.before === null ? [] : [[one.path, one.before] as const]))
      const { root } = changeFolder(Object.fromEntries(files))
      const old = treeOf(root)
      const committed = await commitChanges(root, set, { operations: failingOnce(step + 1) })
      if (committed.kind !== 'committed') {
        expect(treeOf(root)).toEqual(old)
        expect(await commitChanges(root, set)).toEqual({ kind: 'committed' })
      }
      const young = set.flatMap((one) => (one.after === null ? [] : [[one.path, one.after] as const]))
      expect(filesIn(treeOf(root))).toEqual(filesIn(treeOf(changeFolder(Object.fromEntries(young)).root)))
    },
  )
})

function imageOf(side: { readonly text: string; readonly mode: number } | null) {
  return side && image(side.text, side.mode)
}

function filesIn(tree: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(tree).filter(([path]) => !path.endsWith('/')))
}
