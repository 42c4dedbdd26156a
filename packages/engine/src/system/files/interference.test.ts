import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { commitChanges } from './commit-changes.ts'
import {
  changeFolder,
  manyChanges,
  manyFiles,
  removeChangeFolders,
  treeOf,
  watchedDisk,
} from './fixtures/change-folder.ts'

afterEach(removeChangeFolders)

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
      writeNew: async (...given: Parameters<typeof operations.writeNew>) => {
        if (given[0].startsWith(join(root, 'src'))) written += 1
        await operations.writeNew(...given)
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
