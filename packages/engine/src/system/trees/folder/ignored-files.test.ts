import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { git, newFolder, never, newRepository, put } from '../fixtures/work-tree.ts'
import { ignoredStamp } from './list-tree.ts'

async function isSeen(folder: string, change: () => void): Promise<boolean> {
  const before = await ignoredStamp(folder, never)
  expect(await ignoredStamp(folder, never)).toBe(before)
  change()
  return (await ignoredStamp(folder, never)) !== before
}

describe('given what git ignores', () => {
  const repository = () =>
    newRepository({
      '.gitignore': 'dist\nnode_modules\n.env\n',
      'a.ts': '1',
      'dist/deep/a.js': '1',
      '.env': 'A=1',
      'node_modules/.package-lock.json': '{}',
      'node_modules/one/index.js': '1',
      'node_modules/.bin/one': '1',
    })

  it.each<readonly [string, (folder: string) => void]>([
    ['a build', (folder) => put(folder, { 'dist/deep/a.js': '2' })],
    ['a new file of a build', (folder) => put(folder, { 'dist/deep/b.js': '1' })],
    ['a file that is gone', (folder) => rmSync(join(folder, '.env'))],
    ['a file', (folder) => put(folder, { '.env': 'A=2' })],
    ['an installed package', (folder) => put(folder, { 'node_modules/two/index.js': '1' })],
    [
      'the record of the package manager',
      (folder) => put(folder, { 'node_modules/.package-lock.json': '[]' }),
    ],
    ['a program', (folder) => put(folder, { 'node_modules/.bin/one': '2' })],
    [
      'a time of modification that was put back',
      (folder) => {
        put(folder, { 'dist/deep/a.js': '2' })
        utimesSync(join(folder, 'dist/deep/a.js'), 0, 0)
      },
    ],
  ])('%s is seen', async (_, change) => {
    const folder = repository()
    expect(await isSeen(folder, () => change(folder))).toBe(true)
  })

  it('what the fingerprint knows is left to it', async () => {
    const folder = repository()
    expect(await isSeen(folder, () => put(folder, { 'a.ts': '2', 'new.ts': '1' }))).toBe(false)
    git(folder, 'add', '--all')
    expect(await isSeen(folder, () => put(folder, { 'a.ts': '3' }))).toBe(false)
  })
})

describe('given no git', () => {
  it('installed packages are looked at', async () => {
    const folder = newFolder()
    put(folder, { 'a.ts': '1' })
    mkdirSync(join(folder, 'node_modules'))
    expect(await isSeen(folder, () => put(folder, { 'node_modules/one/index.js': '1' }))).toBe(true)
    expect(await isSeen(folder, () => writeFileSync(join(folder, 'a.ts'), '2'))).toBe(false)
  })
})
