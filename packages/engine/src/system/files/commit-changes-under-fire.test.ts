import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commitChanges } from './commit-changes.ts'
import {
  changeFolder,
  failingHalfway,
  failingOnce,
  image,
  manyChanges,
  manyFiles,
  operationsOf,
  treeOf,
  watchedDisk,
} from './fixtures/change-folder.ts'

async function commitWithoutFailure() {
  const { root } = changeFolder(manyFiles)
  const before = treeOf(root)
  const count = await operationsOf((operations) => commitChanges(root, manyChanges, { operations }))
  return { before, count }
}

describe('given a disk on which one operation fails', () => {
  it('when it is any of them, then every file is what it was before', async () => {
    const { before, count } = await commitWithoutFailure()
    expect(count).toBeGreaterThan(15)
    for (let step = 1; step <= count; step++) {
      const { root } = changeFolder(manyFiles)
      const committed = await commitChanges(root, manyChanges, { operations: failingOnce(step) })
      expect(committed, `operation ${step} of ${count}`).toMatchObject({ kind: 'failed', rolledBack: true })
      expect(treeOf(root), `operation ${step} of ${count}`).toEqual(before)
    }
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
  it('when any file is written, then every file is what it was before', async () => {
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

function containing(text: string): string {
  return expect.stringContaining(text) as string
}

describe('given somebody who interferes while it is made', () => {
  /** Just before the first file is put in its place. */
  function interfering(interfere: () => void) {
    let renames = 0
    return watchedDisk((_, name) => {
      if (name === 'rename' && ++renames === 1) interfere()
    })
  }

  it('when a folder becomes a symlink, then nothing is written behind it and all is taken back', async () => {
    const { root } = changeFolder(manyFiles)
    const before = treeOf(root)
    const outside = join(root, '../outside')
    const operations = interfering(() => {
      renameSync(join(root, 'src'), outside)
      symlinkSync(outside, join(root, 'src'))
    })
    expect(await commitChanges(root, manyChanges, { operations })).toMatchObject({
      kind: 'failed',
      problem: containing('outside of the work folder'),
      rolledBack: true,
    })
    const { 'src@': link, ...rest } = treeOf(root)
    expect(link).toBe(outside)
    expect(rest).toEqual(
      Object.fromEntries(Object.entries(before).filter(([path]) => !path.startsWith('src/'))),
    )
    expect(readFileSync(join(outside, 'one.ts'), 'utf8')).toBe('one\n')
    expect(readFileSync(join(outside, 'private.key'), 'utf8')).toBe('secret')
  })

  it('when a folder becomes a symlink before anything is laid into it, then nothing is written behind it', async () => {
    const { root } = changeFolder(manyFiles)
    const outside = join(root, '../outside')
    mkdirSync(outside)
    let hasMoved = false
    const operations = watchedDisk((_, name) => {
      if (name !== 'makeFolder' || hasMoved || !existsSync(join(root, 'new'))) return
      hasMoved = true
      renameSync(join(root, 'src'), join(root, 'elsewhere'))
      symlinkSync(outside, join(root, 'src'))
    })
    let written = 0
    const counted = {
      ...operations,
      writeNew: (...given: Parameters<typeof operations.writeNew>) => {
        if (given[0].startsWith(join(root, 'src'))) written += 1
        operations.writeNew(...given)
      },
    }
    const committed = await commitChanges(root, manyChanges, { operations: counted })
    expect(committed).toMatchObject({ kind: 'failed', rolledBack: true })
    expect([hasMoved, written, treeOf(outside)]).toEqual([true, 0, {}])
  })

  it('when a file is changed, then that stays and the others are taken back', async () => {
    const { root } = changeFolder(manyFiles)
    const before = treeOf(root)
    const operations = interfering(() => writeFileSync(join(root, 'src/two.ts'), 'theirs\n'))
    expect(await commitChanges(root, manyChanges, { operations })).toEqual({
      kind: 'failed',
      problem: 'src/two.ts has changed meanwhile',
      rolledBack: true,
    })
    expect(treeOf(root)).toEqual({ ...before, 'src/two.ts': '644 theirs\n' })
  })

  it('when a file that was written already is changed, then that stays and it is named', async () => {
    const { root } = changeFolder(manyFiles)
    const before = treeOf(root)
    let isFirst = true
    const operations = watchedDisk((_, name) => {
      if (name !== 'removeFile' || !isFirst) return
      isFirst = false
      writeFileSync(join(root, 'a.txt'), 'theirs\n')
      throw new Error('EIO')
    })
    const committed = await commitChanges(root, manyChanges, { operations })
    expect(committed).toMatchObject({
      kind: 'failed',
      rolledBack: false,
      problem: containing('left alone: a.txt'),
    })
    expect(treeOf(root)).toEqual({ ...before, 'a.txt': '644 theirs\n' })
  })
})
