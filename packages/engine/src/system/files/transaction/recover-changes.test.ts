import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { commitChanges } from './commit-changes.ts'
import {
  changeFolder,
  endingAt,
  image,
  manyChanges,
  manyFiles,
  removeChangeFolders,
  treeOf,
  watchedDisk,
  type ChangeFolder,
} from './fixtures/change-folder.ts'
import type { FileOperations } from './operations.ts'
import { lifeOf, thisOwner } from './journal.ts'
import { recoverChanges, type TransactionOptions } from './recover-changes.ts'

afterEach(removeChangeFolders)

function optionsOf({ journalFolder }: ChangeFolder): TransactionOptions {
  return { journalFolder }
}

/** A change of ten files whose process ends just before its `count`-th operation of a kind. */
async function brokenOff(kind: keyof FileOperations, count: number): Promise<ChangeFolder> {
  const folder = changeFolder(manyFiles)
  let [seen, hasEnded] = [0, false]
  const operations = watchedDisk((_, name) => {
    if (name === kind) seen += 1
    hasEnded ||= seen === count
    if (hasEnded) throw new Error('the process has ended')
  })
  await commitChanges(folder.root, manyChanges, { ...optionsOf(folder), operations })
  return folder
}

/** As if another process had begun it. */
function giveTo(owner: string, { journalFolder }: ChangeFolder): void {
  const [name = ''] = readdirSync(journalFolder)
  renameSync(join(journalFolder, name), join(journalFolder, name.replace(thisOwner(), owner)))
}

const beforeFirstFile = () => brokenOff('rename', 2)
const betweenFiles = () => brokenOff('rename', 4)
const beforeEnd = () => brokenOff('rename', 10)

describe('given a change that was broken off', () => {
  it('when its journal was not yet written, then it is discarded', async () => {
    const { root, journalFolder } = await brokenOff('rename', 1)
    expect(await recoverChanges(root, { journalFolder })).toEqual([
      { outcome: 'discarded', files: [], foreign: [] },
    ])
    expect(treeOf(journalFolder)).toEqual({})
  })

  it('when some files had been changed, then they are taken back, and what was laid beside them is removed', async () => {
    const { root, journalFolder } = await betweenFiles()
    expect(treeOf(root)).toMatchObject({
      'a.txt': '644 a and more\n',
      'src/one.ts': '644 one\n',
      'new/deep/': '',
    })
    const [recovery] = await recoverChanges(root, { journalFolder })
    expect(recovery).toMatchObject({ outcome: 'rolled-back', foreign: [] })
    expect(recovery?.files.toSorted()).toEqual(manyChanges.map(({ path }) => path).toSorted())
    expect(treeOf(root)).toEqual(treeOf(changeFolder(manyFiles).root))
    expect(treeOf(journalFolder)).toEqual({})
    expect(await recoverChanges(root, { journalFolder })).toEqual([])
  })

  it('when every file had been changed, then it is kept', async () => {
    const { root, journalFolder } = await beforeEnd()
    expect(await recoverChanges(root, { journalFolder })).toMatchObject([
      { outcome: 'completed', foreign: [] },
    ])
    const other = changeFolder(manyFiles)
    await commitChanges(other.root, manyChanges, optionsOf(other))
    expect(treeOf(root)).toEqual(treeOf(other.root))
    expect(treeOf(journalFolder)).toEqual({})
  })

  it('when another change begins, then it is settled first', async () => {
    const { root, journalFolder } = await betweenFiles()
    const next = [{ path: 'a.txt', before: image('a\n'), after: image('next\n') }]
    expect(await commitChanges(root, next, { journalFolder })).toEqual({ kind: 'committed' })
    expect(treeOf(root)).toEqual({ ...treeOf(changeFolder(manyFiles).root), 'a.txt': '644 next\n' })
  })

  it('when it was of another folder, then it is left alone', async () => {
    const { journalFolder } = await betweenFiles()
    const before = treeOf(journalFolder)
    expect(await recoverChanges(changeFolder({}).root, { journalFolder })).toEqual([])
    expect(treeOf(journalFolder)).toEqual(before)
  })

  it('when a folder that it needs was removed since, then it is made again', async () => {
    const { root, journalFolder } = await brokenOff('removeFile', 2)
    rmSync(join(root, 'old'), { recursive: true })
    writeFileSync(join(root, 'a.txt'), 'a\n')
    await recoverChanges(root, { journalFolder })
    expect(treeOf(root)).toEqual(treeOf(changeFolder(manyFiles).root))
  })
})

describe('given a file that somebody else has changed since', () => {
  it('then it is reported and stays, the others are taken back, and what it was is kept', async () => {
    const { root, journalFolder } = await betweenFiles()
    writeFileSync(join(root, 'a.txt'), 'theirs\n')
    const [recovery] = await recoverChanges(root, { journalFolder })
    expect(recovery).toMatchObject({
      outcome: 'rolled-back',
      foreign: [{ path: 'a.txt', reason: 'a.txt has changed' }],
    })
    expect(treeOf(root)).toEqual({ ...treeOf(changeFolder(manyFiles).root), 'a.txt': '644 theirs\n' })
    const [{ before = '', after = '' } = {}] = recovery?.foreign ?? []
    expect(readFileSync(before, 'utf8')).toBe('a\n')
    expect(readFileSync(after, 'utf8')).toBe('a and more\n')
    expect(await recoverChanges(root, { journalFolder })).toEqual([])
    expect(readFileSync(before, 'utf8')).toBe('a\n')
  })

  it('when all others had been changed, then they stay so', async () => {
    const { root, journalFolder } = await beforeEnd()
    writeFileSync(join(root, 'c.txt'), 'theirs\n')
    expect(await recoverChanges(root, { journalFolder })).toMatchObject([
      { outcome: 'completed', foreign: [{ path: 'c.txt' }] },
    ])
    expect(treeOf(root)).toMatchObject({ 'a.txt': '644 a and more\n', 'c.txt': '644 theirs\n' })
  })

  it('when there is a symlink in its place, then nothing is written through it', async () => {
    const { root, journalFolder } = await betweenFiles()
    writeFileSync(join(root, '../outside'), 'a and more\n')
    rmSync(join(root, 'a.txt'))
    symlinkSync('../outside', join(root, 'a.txt'))
    expect(await recoverChanges(root, { journalFolder })).toMatchObject([{ foreign: [{ path: 'a.txt' }] }])
    expect(readFileSync(join(root, '../outside'), 'utf8')).toBe('a and more\n')
  })

  it('when it lies in a folder that was created, then the folder stays', async () => {
    const { root, journalFolder } = await betweenFiles()
    writeFileSync(join(root, 'new/theirs.txt'), 'theirs\n')
    expect(await recoverChanges(root, { journalFolder })).toMatchObject([
      { outcome: 'rolled-back', foreign: [] },
    ])
    expect(treeOf(root)).toMatchObject({ 'new/theirs.txt': '644 theirs\n' })
    expect(treeOf(root)).not.toHaveProperty('new/deep/')
  })

  it('when it was the only one not yet changed, then the others are taken back, however often that is broken off', async () => {
    const files = { 'a.txt': image('a\n'), 'b.txt': image('b\n') }
    const both = Object.entries(files).map(([path, before]) => ({ path, before, after: image('new\n') }))
    for (let step = 1; step < 12; step++) {
      const folder = changeFolder(files)
      let renames = 0
      const operations = watchedDisk((_, name) => {
        if (name === 'rename') renames += 1
        if (renames >= 3) throw new Error('the process has ended')
      })
      await commitChanges(folder.root, both, { ...optionsOf(folder), operations })
      writeFileSync(join(folder.root, 'b.txt'), 'theirs\n')
      await recoverChanges(folder.root, { ...optionsOf(folder), operations: endingAt(step) })
      await recoverChanges(folder.root, optionsOf(folder))
      expect(treeOf(folder.root), `operation ${step}`).toEqual({
        'a.txt': '644 a\n',
        'b.txt': '644 theirs\n',
      })
    }
  })

  it('and the settling is broken off, then the next one comes to the same', async () => {
    for (let step = 1; step < 20; step++) {
      const { root, journalFolder } = await betweenFiles()
      writeFileSync(join(root, 'a.txt'), 'theirs\n')
      const [first] = await recoverChanges(root, { journalFolder, operations: endingAt(step) })
      expect(first, `operation ${step}`).toMatchObject({ outcome: 'failed' })
      expect(await recoverChanges(root, { journalFolder }), `operation ${step}`).toMatchObject([
        { outcome: 'rolled-back', foreign: [{ path: 'a.txt' }] },
      ])
      expect(treeOf(root)).toEqual({ ...treeOf(changeFolder(manyFiles).root), 'a.txt': '644 theirs\n' })
    }
  })
})

describe('given the process that a change belongs to', () => {
  it('when it lives, then its change is left alone, and its files cannot be changed by others', async () => {
    const child = spawn('sleep', ['60'])
    await once(child, 'spawn')
    const folder = await beforeFirstFile()
    const alive = ownerOfProcess(child.pid ?? 0)
    giveTo(alive, folder)
    const before = treeOf(folder.root)
    expect(lifeOf(alive)).toBe('alive')
    expect(await recoverChanges(folder.root, optionsOf(folder))).toEqual([])
    expect(treeOf(folder.root)).toEqual(before)
    const [mine, other] = [
      { path: 'a.txt', before: image('a\n') },
      { path: 'stays.txt', before: image('stays\n') },
    ]
    expect(await commitChanges(folder.root, [{ ...mine, after: null }], optionsOf(folder))).toEqual({
      kind: 'conflict',
      path: 'a.txt',
      reason: 'a.txt is being changed by another process',
    })
    expect(await commitChanges(folder.root, [{ ...other, after: null }], optionsOf(folder))).toEqual({
      kind: 'committed',
    })
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await recoverChanges(folder.root, optionsOf(folder))).toMatchObject([{ outcome: 'rolled-back' }])
  })

  it('when it ran on another machine, then that is said', async () => {
    const folder = await betweenFiles()
    const before = treeOf(folder.root)
    giveTo(Buffer.from('["elsewhere",1,null,0]').toString('base64url'), folder)
    expect(await recoverChanges(folder.root, optionsOf(folder))).toMatchObject([
      { outcome: 'left', problem: expect.stringContaining('another machine') as string },
    ])
    expect(treeOf(folder.root)).toEqual(before)
  })

  it('when two want to settle at once, then one does', async () => {
    const folder = await betweenFiles()
    const both = await Promise.all([
      recoverChanges(folder.root, optionsOf(folder)),
      recoverChanges(folder.root, optionsOf(folder)),
    ])
    expect(both.flat()).toHaveLength(1)
    expect(treeOf(folder.root)).toEqual(treeOf(changeFolder(manyFiles).root))
  })
})

describe('given a journal that nobody can read', () => {
  it.each([
    ['was cut', (text: Buffer) => text.subarray(0, -1)],
    [
      'was changed',
      (text: Buffer) => Buffer.from(text.toString('latin1').replace('secret', 'SECRET'), 'latin1'),
    ],
    ['is empty', () => Buffer.alloc(0)],
  ])(
    'when it %s, then it is said, nothing is touched, and nothing can be changed until it is gone',
    async (_, spoil) => {
      const folder = await betweenFiles()
      const [name = ''] = readdirSync(folder.journalFolder)
      const file = join(folder.journalFolder, name, 'prepared')
      writeFileSync(file, spoil(readFileSync(file)))
      const before = treeOf(folder.root)
      expect(await recoverChanges(folder.root, optionsOf(folder))).toMatchObject([
        { outcome: 'failed', problem: expect.stringContaining('digest') as string },
      ])
      expect(await commitChanges(folder.root, manyChanges, optionsOf(folder))).toMatchObject({
        kind: 'failed',
        rolledBack: true,
      })
      expect(treeOf(folder.root)).toEqual(before)
      expect(readdirSync(folder.journalFolder)).toHaveLength(1)
    },
  )

  it('what else lies beside the journals does not matter', async () => {
    const folder = await betweenFiles()
    writeFileSync(join(folder.journalFolder, 'a-file'), '')
    mkdirSync(join(folder.journalFolder, 'x.y.z'))
    expect(await recoverChanges(folder.root, optionsOf(folder))).toMatchObject([{ outcome: 'rolled-back' }])
  })
})

/** The start is left open: then only the process id counts. */
function ownerOfProcess(processId: number): string {
  const own: unknown = JSON.parse(Buffer.from(thisOwner(), 'base64url').toString())
  if (!Array.isArray(own)) throw new TypeError('an owner is a list')
  return Buffer.from(JSON.stringify([own[0], processId, null, 0])).toString('base64url')
}
