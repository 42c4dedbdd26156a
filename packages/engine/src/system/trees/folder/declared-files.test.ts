import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { gitOrWalkWorkspace } from './fingerprint.ts'
import { git, never, newFolder, newRepository, put } from '../fixtures/work-tree.ts'

/** Whether the fingerprint of these files is another one after a change. */
async function isSeen(folder: string, files: readonly string[], change: () => unknown): Promise<boolean> {
  const look = () => gitOrWalkWorkspace(folder).fingerprint(never, { files })
  const before = await look()
  await change()
  return (await look()) !== before
}

describe('given declared files', () => {
  it.each([
    ['src/**/*.ts', 'src/a/b.ts', 'src/a/b.js'],
    ['package.json', 'package.json', 'src/package.json'],
    ['*.{json,yaml}', 'x.yaml', 'd/x.yaml'],
    ['./config/', 'config/inner', 'configuration'],
    ['**/[ab].txt', 'deep/er/a.txt', 'deep/er/c.txt'],
    ['d/.*', 'd/.hidden', 'd/shown'],
  ])('"%s" sees %s and not %s', async (glob, inside, beyond) => {
    const folder = newRepository({ kept: '1' })
    expect(await isSeen(folder, [glob], () => put(folder, { [beyond]: '1' }))).toBe(false)
    expect(await isSeen(folder, [glob], () => put(folder, { [inside]: '1' }))).toBe(true)
    expect(await isSeen(folder, [glob], () => put(folder, { [inside]: '2' }))).toBe(true)
  })

  it('sees files that git ignores', async () => {
    const folder = newRepository({ '.gitignore': 'dist\n' })
    expect(await isSeen(folder, ['dist/**'], () => put(folder, { 'dist/a.js': '1' }))).toBe(true)
  })

  it('sees installed packages only for a glob that names them', async () => {
    const folder = newFolder()
    const install = (version: string) => () => put(folder, { 'node_modules/left/index.js': version })
    expect(await isSeen(folder, ['**/*.js'], install('1'))).toBe(false)
    expect(await isSeen(folder, ['node_modules/left/**'], install('2'))).toBe(true)
  })

  it('does not see what a glob takes away', async () => {
    const folder = newFolder()
    const files = ['src/**', '!src/generated/**']
    expect(await isSeen(folder, files, () => put(folder, { 'src/generated/a': '1' }))).toBe(false)
    expect(await isSeen(folder, files, () => put(folder, { 'src/a': '1' }))).toBe(true)
  })

  it.each(['src/**', 'src/link/**', 'src/*/a', 'src/link/a'])(
    'sees through a link to another folder of the tree: "%s"',
    async (glob) => {
      const folder = newFolder()
      put(folder, { 'real/a': '1' })
      mkdirSync(join(folder, 'src'))
      symlinkSync('../real', join(folder, 'src/link'))
      expect(await isSeen(folder, [glob], () => put(folder, { 'real/a': '2' }))).toBe(true)
    },
  )
})

describe('given a submodule', () => {
  it('what is in it counts', async () => {
    const [inner, folder] = [newRepository({ a: '1' }), newRepository({ kept: '1' })]
    git(folder, 'submodule', '--quiet', 'add', inner, 'sub')
    git(folder, 'commit', '--quiet', '--message', 'with a submodule')
    const look = () => gitOrWalkWorkspace(folder).fingerprint(never)
    const before = await look()
    put(folder, { 'sub/a': '2' })
    const edited = await look()
    put(folder, { 'sub/a': '1', 'sub/new': 'n' })
    expect(new Set([before, edited, await look()]).size).toBe(3)
  })
})

describe('given names that do not count', () => {
  it.each([() => newFolder(), () => newRepository({})])(
    'sees every other file, in any folder',
    async (made) => {
      const folder = made()
      put(folder, { 'src/a.ts': 'one' })
      const seen = () => gitOrWalkWorkspace(folder).fingerprint(never, { except: ['*.md', 'LICENSE'] })
      const before = await seen()
      put(folder, { 'README.md': 'x', '.github/docs/a.md': 'x', 'lib/LICENSE': 'x' })
      expect(await seen()).toBe(before)
      put(folder, { 'src/a.ts': 'two' })
      expect(await seen()).not.toBe(before)
    },
  )
})
