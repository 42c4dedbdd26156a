import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { git, newFolder, newRepository, put } from '../fixtures/work-tree.ts'
import { checkOut, commitAll, filesIn, lay } from '../fixtures/checkout.ts'

const crlf = 'one\r\ntwo\r\n'
const lf = 'one\ntwo\n'
const utf16 = Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(lf, 'utf16le')])

describe('given a revision', () => {
  it('has its files and not those of the work tree: content, executable bit, links', async () => {
    const folder = newRepository({ 'd/a': 'one', 'd/run.sh': '#!/bin/sh', outside: 'o' })
    chmodSync(join(folder, 'd/run.sh'), 0o755)
    symlinkSync('a', join(folder, 'd/link'))
    symlinkSync(join(folder, 'd/a'), join(folder, 'd/absolute'))
    commitAll(folder)
    put(folder, { 'd/a': 'two', 'd/new': 'n' })
    const copy = await lay(join(folder, 'd'))
    const shown = [...copy.tree.values()].map(({ path, kind }) => [path, kind])
    expect(shown.sort()).toEqual([
      ['a', 'file'],
      ['absolute', 'symlink'],
      ['link', 'symlink'],
      ['run.sh', 'executable'],
    ])
    expect(readFileSync(join(copy.folder, 'a'), 'utf8')).toBe('one')
    expect(realpathSync(join(copy.folder, 'absolute'))).toBe(join(copy.folder, 'a'))
    expect(existsSync(join(copy.folder, '../outside'))).toBe(false)
    expect(copy.commit).toBe(git(folder, 'rev-parse', 'HEAD').trim())
    expect(git(copy.folder, 'status', '--porcelain', '--', 'a', 'run.sh')).toBe('')
  })

  it.each(['nonsense', '--help', ''])('fails for the revision "%s"', async (revision) => {
    await expect(lay(newRepository({ a: '1' }), revision)).rejects.toMatchObject({ name: 'SnapshotError' })
  })

  it('names the way out where a shallow clone lacks it', async () => {
    const source = newRepository({ a: '1' })
    put(source, { a: '2' })
    commitAll(source)
    const folder = newFolder()
    git(folder, 'clone', '--quiet', '--depth=1', `file://${source}`, folder)
    const copy = await lay(folder)
    expect(git(copy.folder, 'log', '--oneline').trim().split('\n')).toHaveLength(1)
    await expect(lay(folder, 'HEAD~1')).rejects.toThrow('git fetch --unshallow')
  })
})

describe('given a repository whose files are converted', () => {
  const attributes = [
    '*.bat text eol=crlf',
    '*.ps1 text working-tree-encoding=UTF-16LE-BOM eol=lf',
    '*.id ident',
    '*.bin -text',
    'quiet/** export-ignore',
  ]

  function converted(): string {
    const folder = newRepository({ '.gitattributes': `${attributes.join('\n')}\n` })
    put(folder, { 'run.bat': crlf, 'a.txt': lf, 'v.id': '$Id$\n', 'raw.bin': crlf, 'quiet/a.txt': lf })
    writeFileSync(join(folder, 'x.ps1'), utf16)
    commitAll(folder)
    return folder
  }

  it.each([[[]], [['core.autocrlf=true']], [['core.autocrlf=input']], [['core.eol=crlf']]])(
    'with %j it has the bytes of a checkout',
    async (settings) => {
      const folder = checkOut(converted(), settings)
      const expected = filesIn(folder)
      expect(expected.get('run.bat')).toContain(crlf)
      put(folder, { 'run.bat': 'changed', 'a.txt': 'changed' })
      const copy = await lay(folder)
      expect(filesIn(copy.folder)).toEqual(expected)
      expect(git(copy.folder, 'status', '--porcelain')).toBe('')
    },
  )

  it('runs no filter, hook or monitor of the project', async () => {
    const folder = newRepository({ '.gitattributes': '* filter=evil\n', a: 'one' })
    const spy = join(folder, 'spy')
    put(folder, { spy: `#!/bin/sh\ntouch ${folder}/was-run\ncat\n` })
    chmodSync(spy, 0o755)
    put(folder, { '.git/hooks/post-checkout': `#!/bin/sh\ntouch ${folder}/was-run\n` })
    chmodSync(join(folder, '.git/hooks/post-checkout'), 0o755)
    for (const name of ['filter.evil.smudge', 'core.fsmonitor']) git(folder, 'config', name, spy)
    expect(readFileSync(join((await lay(folder)).folder, 'a'), 'utf8')).toBe('one')
    put(folder, { a: 'changed by the filter, or by the work' })
    await expect(lay(folder)).rejects.toThrow('passes through the filter "evil"')
    expect(existsSync(join(folder, 'was-run'))).toBe(false)
  })
})

describe('given large-file storage', () => {
  const content = 'large\r\n'.repeat(500)
  const oid = createHash('sha256').update(content).digest('hex')
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${content.length}\n`

  function withPointer(now: string): string {
    const folder = newRepository({
      '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
      'a.bin': pointer,
    })
    put(folder, { 'a.bin': now })
    return folder
  }
  const store = (folder: string, text: string) =>
    put(folder, { [`.git/lfs/objects/${oid.slice(0, 2)}/${oid.slice(2, 4)}/${oid}`]: text })

  it('has the content, without the program', async () => {
    const folder = withPointer('changed')
    store(folder, content)
    expect(readFileSync(join((await lay(folder)).folder, 'a.bin'), 'utf8')).toBe(content)
  })

  it('stays a pointer where a checkout has only that', async () => {
    const copy = await lay(withPointer(pointer))
    expect(readFileSync(join(copy.folder, 'a.bin'), 'utf8')).toBe(pointer)
    expect(copy.notes).toEqual(['1 files of large-file storage are pointers here: a.bin'])
  })

  it('fails where the content is not here, or another one under its name', async () => {
    const folder = withPointer('changed')
    await expect(lay(folder)).rejects.toThrow('git lfs fetch origin HEAD')
    store(folder, 'forged')
    await expect(lay(folder)).rejects.toThrow('git lfs fetch origin HEAD')
  })
})

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
})
