import { existsSync, readFileSync, rmSync, statSync, chmodSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { git, never, newFolder, put } from './fixtures/work-tree.ts'
import { keptTrees } from './kept-trees.ts'

const any = () => true

function setUp(files: Readonly<Record<string, string>>) {
  const folder = newFolder()
  put(folder, files)
  const trees = keptTrees({ folder, snapshotFolder: newFolder() })
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
    const back = await trees.restore(after, before, any, never)
    expect(back).toEqual({ changed: ['a.txt', 'gone.sh', 'new/b.txt'], left: [], appeared: [] })
    expect([read('a.txt'), read('gone.sh'), existsSync(join(folder, 'new/b.txt'))]).toEqual([
      'a',
      'run',
      false,
    ])
    expect(statSync(join(folder, 'gone.sh')).mode & 0o777).toBe(0o755)
    await trees.restore(before, after, any, never)
    expect([read('a.txt'), read('new/b.txt'), existsSync(join(folder, 'gone.sh'))]).toEqual(['A', 'b', false])
  })

  it('when somebody else has changed a file since, then that file stays as they left it', async () => {
    const { folder, trees, read } = setUp({ 'a.txt': 'a', 'b.txt': 'b' })
    const before = await trees.keep(never)
    put(folder, { 'a.txt': 'A', 'b.txt': 'B' })
    const after = await trees.keep(never)
    put(folder, { 'b.txt': 'mine', 'c.txt': 'mine too' })
    expect(await trees.restore(after, before, any, never)).toEqual({
      changed: ['a.txt'],
      left: ['b.txt'],
      appeared: [],
    })
    expect([read('a.txt'), read('b.txt'), read('c.txt')]).toEqual(['a', 'mine', 'mine too'])
  })

  it('when rules of what is ignored went, then what they hid stays, whoever is said to have made it', async () => {
    const hidden = { '.env': 'secret', 'node_modules/x': 'x' }
    const { folder, trees, read } = setUp({ '.gitignore': '.env\nnode_modules\n', ...hidden })
    git(folder, 'init', '--quiet')
    put(folder, { '.git/info/exclude': 'private\n', private: 'mine' })
    await until(folder)
    const before = await trees.keep(never)
    rmSync(join(folder, '.gitignore'))
    rmSync(join(folder, '.git/info/exclude'))
    put(folder, { 'b.txt': 'b', '.env': 'secret, and more' })
    const after = await trees.keep(never)
    expect(await trees.restore(after, before, any, never)).toEqual({
      changed: ['.gitignore', 'b.txt'],
      left: [],
      appeared: ['.env', 'node_modules/x', 'private'],
    })
    expect([read('.env'), read('node_modules/x'), read('private')]).toEqual(['secret, and more', 'x', 'mine'])
  })

  it('when somebody else made a file meanwhile, then it stays and is named', async () => {
    const { folder, trees, read } = setUp({ 'a.txt': 'a' })
    const before = await trees.keep(never)
    put(folder, { 'a.txt': 'A', 'b.txt': 'b', 'notes.txt': 'mine' })
    const after = await trees.keep(never)
    const back = await trees.restore(after, before, (path) => path === 'b.txt', never)
    expect(back).toEqual({ changed: ['a.txt', 'b.txt'], left: [], appeared: ['notes.txt'] })
    expect([read('a.txt'), read('notes.txt')]).toEqual(['a', 'mine'])
  })
})

/** Until a file that is made now is certainly younger than those of the folder. */
async function until(folder: string): Promise<void> {
  const { ctimeMs } = statSync(join(folder, 'private'))
  while (Date.now() < ctimeMs + 30) await setImmediate()
}
