import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ChangeSet } from '../../analysis/patch/index.ts'
import { commitChanges } from './commit-changes.ts'
import { changeFolder, image, manyChanges, manyFiles, treeOf } from './fixtures/change-folder.ts'

const update: ChangeSet = [{ path: 'a.txt', before: image('a\n'), after: image('b\n') }]

function containing(text: string): string {
  return expect.stringContaining(text) as string
}

describe('given a change of ten files', () => {
  it('when nothing is in its way, then every file is what it is afterwards, with its mode', async () => {
    const { root } = changeFolder(manyFiles)
    expect(await commitChanges(root, manyChanges)).toEqual({ kind: 'committed' })
    expect(treeOf(root)).toEqual({
      'a.txt': '644 a and more\n',
      'bin/': '',
      'bin/run': '755 #!/bin/sh\necho\n',
      'c.txt': '644 c\n',
      'new/': '',
      'new/b.txt': '644 b\n',
      'new/deep/': '',
      'new/deep/moved.ts': '640 moved and changed\n',
      'old/': '',
      'src/': '',
      'src/one.ts': '644 ',
      'src/private.key': '600 public',
      'src/two.ts': '755 two\r\n',
      'stays.txt': '644 stays\n',
    })
  })
})

describe('given a file that is not what the change starts from', () => {
  it.each<[string, string, (root: string) => void]>([
    [
      'has other content',
      'src/one.ts has changed',
      (root) => writeFileSync(join(root, 'src/one.ts'), 'else\n'),
    ],
    ['is longer', 'src/one.ts has changed', (root) => writeFileSync(join(root, 'src/one.ts'), 'one\none\n')],
    ['has another mode', 'its mode is 755 now', (root) => chmodSync(join(root, 'a.txt'), 0o755)],
    ['is gone', 'bin/run is gone', (root) => rmSync(join(root, 'bin/run'))],
    ['is there already', 'c.txt has been created', (root) => writeFileSync(join(root, 'c.txt'), 'mine\n')],
    [
      'is what it was to become',
      'already what it was to become',
      (root) => writeFileSync(join(root, 'c.txt'), 'c\n'),
    ],
    ['is a folder', 'c.txt has changed: it is a folder', (root) => mkdirSync(join(root, 'c.txt'))],
    ['is a symlink', 'goes through a symlink', (root) => symlinkSync('a.txt', join(root, 'c.txt'))],
    [
      'lies behind a symlink within the folder',
      'goes through a symlink',
      (root) => {
        renameSync(join(root, 'src'), join(root, 'elsewhere'))
        symlinkSync('elsewhere', join(root, 'src'))
      },
    ],
    [
      'lies behind a symlink out of the folder',
      'outside of the work folder',
      (root) => {
        renameSync(join(root, 'src'), join(root, '../elsewhere'))
        symlinkSync('../elsewhere', join(root, 'src'))
      },
    ],
  ])('when it %s, then it is a conflict and nothing is written', async (_, reason, spoil) => {
    const { root } = changeFolder(manyFiles)
    spoil(root)
    const before = treeOf(join(root, '..'))
    expect(await commitChanges(root, manyChanges)).toMatchObject({
      kind: 'conflict',
      reason: containing(reason),
    })
    expect(treeOf(join(root, '..'))).toEqual(before)
  })

  it('when it is read-only, then its content stays, and only its mode may be changed', async () => {
    const { root } = changeFolder({ 'a.txt': image('a\n', 0o444) })
    const locked = { path: 'a.txt', before: image('a\n', 0o444) }
    const conflict = { kind: 'conflict', path: 'a.txt', reason: 'a.txt is read-only (mode 444)' }
    for (const after of [null, image('b\n', 0o444), image('b\n')])
      expect(await commitChanges(root, [{ ...locked, after }])).toEqual(conflict)
    const unlocked = [{ ...locked, after: image('a\n', 0o644) }]
    expect(await commitChanges(root, unlocked)).toEqual({ kind: 'committed' })
    expect(treeOf(root)).toEqual({ 'a.txt': '644 a\n' })
  })
})

describe('given a set that cannot be', () => {
  it.each(['', '.', '..', '../x', '/x', 'a//b', 'a/./b', 'a/../b', 'a/', 'a\0b'])(
    'the path %j is refused',
    async (path) => {
      const { root } = changeFolder({})
      const set = [{ path, before: null, after: image('x') }]
      expect(await commitChanges(root, set)).toEqual({
        kind: 'failed',
        problem: `the path ${JSON.stringify(path)} is not a plain path below the folder`,
        rolledBack: true,
      })
      expect(treeOf(join(root, '..'))).toEqual({ 'work/': '' })
    },
  )

  it('a path that stands in it twice, or below another, is refused', async () => {
    const { root } = changeFolder({})
    const file = { before: null, after: image('x') }
    for (const paths of [
      ['a', 'a'],
      ['a', 'a/b'],
    ]) {
      const set = paths.map((path) => ({ path, ...file }))
      expect(await commitChanges(root, set)).toMatchObject({
        kind: 'failed',
        rolledBack: true,
      })
    }
    expect(treeOf(root)).toEqual({})
  })
})

describe('given files with ties to others', () => {
  it('a hard link keeps the old content', async () => {
    const { root } = changeFolder({ 'a.txt': image('a\n') })
    linkSync(join(root, 'a.txt'), join(root, '../hard'))
    await commitChanges(root, update)
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('b\n')
    expect(readFileSync(join(root, '../hard'), 'utf8')).toBe('a\n')
  })

  it.skipIf(process.geteuid?.() !== 0)('the owner stays (only root can give files to others)', async () => {
    const { root } = changeFolder({ 'a.txt': image('a\n', 0o4755) })
    chownSync(join(root, 'a.txt'), 1234, 2345)
    chmodSync(join(root, 'a.txt'), 0o4755)
    const set = [{ path: 'a.txt', before: image('a\n', 0o4755), after: image('b\n', 0o4755) }]
    expect(await commitChanges(root, set)).toEqual({ kind: 'committed' })
    expect(statSync(join(root, 'a.txt'))).toMatchObject({ uid: 1234, gid: 2345, mode: 0o104755 })
  })
})

describe('given two changes of one folder at once', () => {
  it('when both start from the same file, then one is made and the other is a conflict', async () => {
    const { root } = changeFolder({ 'a.txt': image('a\n') })
    const both = await Promise.all([
      commitChanges(root, update),
      commitChanges(root, [{ path: 'a.txt', before: image('a\n'), after: image('c\n') }]),
    ])
    expect(both.map(({ kind }) => kind).sort()).toEqual(['committed', 'conflict'])
    const winner = both[0].kind === 'committed' ? 'b' : 'c'
    expect(treeOf(root)).toEqual({ 'a.txt': `644 ${winner}\n` })
  })
})
