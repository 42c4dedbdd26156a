import { existsSync, readFileSync, rmSync, statSync, symlinkSync, chmodSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { never, newFolder, put, removeFolders } from './fixtures/work-tree.ts'
import { keptTrees } from './kept-trees.ts'

afterEach(removeFolders)

function setUp(files: Readonly<Record<string, string>>) {
  const folder = newFolder()
  put(folder, files)
  const trees = keptTrees({ folder, snapshotFolder: newFolder(), journalFolder: newFolder() })
  return { folder, trees, read: (path: string) => readFileSync(join(folder, path), 'utf8') }
}

describe('given a tree that was changed between two looks', () => {
  it('when the change is taken back, then every file is what it was, and the way forth is open too', async () => {
    const { folder, trees, read } = setUp({ 'a.txt': 'a', 'gone.sh': 'run', 'same.txt': 's' })
    chmodSync(join(folder, 'gone.sh'), 0o755)
    const before = await trees.keep(never)
    put(folder, { 'a.txt': 'A', 'new/b.txt': 'b' })
    rmSync(join(folder, 'gone.sh'))
    const after = await trees.keep(never)
    expect(trees.difference(before, after).changes.map(({ path }) => path)).toEqual([
      'a.txt',
      'gone.sh',
      'new/b.txt',
    ])
    const back = await trees.restore(after, before, never)
    expect(back).toEqual({ changed: ['a.txt', 'gone.sh', 'new/b.txt'], left: [] })
    expect([read('a.txt'), read('gone.sh'), existsSync(join(folder, 'new/b.txt'))]).toEqual([
      'a',
      'run',
      false,
    ])
    expect(statSync(join(folder, 'gone.sh')).mode & 0o777).toBe(0o755)
    await trees.restore(before, after, never)
    expect([read('a.txt'), read('new/b.txt'), existsSync(join(folder, 'gone.sh'))]).toEqual(['A', 'b', false])
  })

  it('when somebody else has changed a file since, then that file stays as they left it', async () => {
    const { folder, trees, read } = setUp({ 'a.txt': 'a', 'b.txt': 'b' })
    const before = await trees.keep(never)
    put(folder, { 'a.txt': 'A', 'b.txt': 'B' })
    const after = await trees.keep(never)
    put(folder, { 'b.txt': 'mine', 'c.txt': 'mine too' })
    expect(await trees.restore(after, before, never)).toEqual({ changed: ['a.txt'], left: ['b.txt'] })
    expect([read('a.txt'), read('b.txt'), read('c.txt')]).toEqual(['a', 'mine', 'mine too'])
  })

  it('when a symlink was made, then it stays and is named', async () => {
    const { folder, trees } = setUp({ 'a.txt': 'a' })
    const before = await trees.keep(never)
    symlinkSync('a.txt', join(folder, 'link'))
    const after = await trees.keep(never)
    expect(await trees.restore(after, before, never)).toEqual({ changed: [], left: ['link'] })
  })
})
