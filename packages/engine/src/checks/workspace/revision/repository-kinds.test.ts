import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { git, newFolder, newRepository, put } from '../fixtures/work-tree.ts'
import { checkOut, commitAll, filesIn, lay, removeCopies } from './fixtures/checkout.ts'

afterEach(removeCopies)

const crlf = 'one\r\ntwo\r\n'

describe('given submodules', () => {
  function withSubmodules(): string {
    const inner = newRepository({ 'deep.txt': 'deep' })
    const middle = newRepository({ '.gitattributes': '*.bat text eol=crlf\n', 'm.bat': crlf })
    git(middle, 'submodule', '--quiet', 'add', `file://${inner}`, 'inner')
    commitAll(middle)
    const outer = newRepository({ a: '1' })
    git(outer, 'submodule', '--quiet', 'add', '--name', 'other', `file://${middle}`, 'lib/middle')
    commitAll(outer)
    return checkOut(outer)
  }

  it('has their files, however deep, and as each of them lays them', async () => {
    const folder = withSubmodules()
    const expected = filesIn(folder)
    expect(expected.get('lib/middle/inner/deep.txt')).toContain('deep')
    put(folder, { 'lib/middle/m.bat': 'changed' })
    rmSync(join(folder, 'lib/middle/inner/deep.txt'))
    expect(filesIn((await lay(folder)).folder)).toEqual(expected)
  })

  it('has them also where the work tree has lost them', async () => {
    const folder = withSubmodules()
    const expected = filesIn(folder)
    rmSync(join(folder, 'lib'), { recursive: true })
    expect(filesIn((await lay(folder)).folder)).toEqual(expected)
  })

  it('lacks one that was never set up here, and says so', async () => {
    const [source, folder] = [withSubmodules(), newFolder()]
    git(folder, 'clone', '--quiet', `file://${source}`, folder)
    const copy = await lay(folder)
    expect(filesIn(copy.folder)).toEqual(filesIn(folder))
    expect(copy.notes.join()).toContain('lib/middle is not set up here')
  })
})

describe('given a sparse checkout', () => {
  function sparse(...words: readonly string[]): string {
    const source = newRepository({ 'a/x': '1', 'a/y': '1', 'b/x': '1', 'b/c/x': '1', top: '1' })
    const folder = checkOut(source)
    git(folder, 'sparse-checkout', 'set', ...words)
    return folder
  }

  it.each([[['--cone', 'a']], [['--no-cone', '/a/x', 'b/c']], [['--cone', '--sparse-index', 'a']]])(
    'with %j it has what the work tree has',
    async (words) => {
      const folder = sparse(...words)
      const expected = filesIn(folder)
      expect(expected.has('b/x')).toBe(false)
      put(folder, { 'a/x': '2' })
      const copy = await lay(folder)
      expect(filesIn(copy.folder)).toEqual(expected)
      expect(git(copy.folder, 'status', '--porcelain')).toBe('')
    },
  )

  it('has a file outside of its rules that is there all the same', async () => {
    const folder = sparse('--cone', 'a')
    put(folder, { 'b/x': '2' })
    expect(filesIn((await lay(folder)).folder).get('b/x')).toContain('1')
  })

  it('of a subfolder has that alone', async () => {
    const folder = sparse('--cone', 'a')
    const copy = await lay(join(folder, 'a'))
    expect([...filesIn(dirname(copy.folder)).keys()].sort()).toEqual(['a/x', 'a/y'])
  })
})

describe('given other repositories', () => {
  it('has the same with SHA-256, and in a linked worktree', async () => {
    const folder = newFolder()
    git(folder, 'init', '--quiet', '--object-format=sha256')
    put(folder, { a: '1' })
    commitAll(folder)
    git(folder, 'worktree', 'add', '--quiet', 'linked', '-b', 'linked')
    put(folder, { a: '2', 'linked/a': '3' })
    expect(filesIn((await lay(join(folder, 'linked'))).folder)).toEqual(new Map([['a', '0 1']]))
    expect((await lay(folder)).commit).toHaveLength(64)
  })

  it.skipIf(process.getuid?.() !== 0)('of another user are refused in the words of git', async () => {
    const folder = newRepository({ a: '1' })
    execFileSync('chown', ['-R', '12345:12345', folder])
    await expect(lay(folder)).rejects.toThrow(
      `dubious ownership in repository at '${folder}'; type: git config --global --add safe.directory ${folder}`,
    )
  })
})
