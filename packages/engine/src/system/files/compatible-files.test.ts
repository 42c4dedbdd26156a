import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { chmod, lstat, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { applyCompatible } from '../../analysis/patch/index.ts'
import { directFiles, rehearsedFiles } from './compatible-files.ts'

describe('given the files of this machine', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'donecheck-direct-')))
    await writeFile(join(folder, 'file'), 'a\n')
    await mkdir(join(folder, 'folder'))
    await symlink('file', join(folder, 'link'))
    await symlink('loop', join(folder, 'loop'))
    await symlink('nowhere', join(folder, 'dangling'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it.each([
    ['missing', () => 'No such file or directory (os error 2)'],
    ['file/x', () => 'Not a directory (os error 20)'],
    ['loop', () => 'Symbolic link loop (os error 40)'],
    ['x'.repeat(300), () => 'Filename too long (os error 36)'],
    ['folder', () => `path \`${folder}/folder\` is not a file`],
  ])('says of %s what the reference says', async (name, problem) => {
    expect(await directFiles.read(join(folder, name))).toEqual({ kind: 'failed', problem: problem() })
  })

  it('writes in place: mode and link stay', async () => {
    await chmod(join(folder, 'file'), 0o755)
    expect(await directFiles.write(join(folder, 'link'), Buffer.from('b'))).toBe('written')
    expect(await readFile(join(folder, 'file'), 'utf8')).toBe('b')
    expect((await lstat(join(folder, 'file'))).mode & 0o777).toBe(0o755)
    expect((await lstat(join(folder, 'link'))).isSymbolicLink()).toBe(true)
  })

  it('writes into folders that it was asked to create', async () => {
    const path = join(folder, 'n/e/w')
    expect(await directFiles.write(path, Buffer.from('x'))).toBe('no-folder')
    expect(await directFiles.createFolderOf(path)).toBe(true)
    expect(await directFiles.write(path, Buffer.from('x'))).toBe('written')
    expect(await directFiles.createFolderOf(join(folder, 'file/x/y'))).toBe(false)
    expect(await directFiles.write(join(folder, 'folder'), Buffer.from('x'))).toBe('failed')
  })
})

const bases: string[] = []

function folderWithFiles(): string {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'donecheck-rehearsal-')))
  bases.push(base)
  mkdirSync(join(base, 'd'))
  writeFileSync(join(base, 'a'), 'one\ntwo\n')
  writeFileSync(join(base, 'd/b'), 'b\n')
  symlinkSync('d', join(base, 'link'))
  symlinkSync('a', join(base, 'name'))
  return base
}

function filesIn(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries
    // Once under its own name: what a link leads to is listed below the link as well.
    .filter((entry) => entry.isFile() && realpathSync(entry.parentPath) === entry.parentPath)
    .map(({ parentPath, name }) => join(parentPath, name))
  return Object.fromEntries(files.map((path) => [path.slice(folder.length), readFileSync(path, 'utf8')]))
}

afterEach(() => {
  for (const base of bases.splice(0)) rmSync(base, { recursive: true })
})

describe('given a patch of the codex-compatible mode', () => {
  const path = fc.constantFrom(
    'a',
    'd/b',
    'd',
    'new',
    'd/new',
    'x/y',
    'a/z',
    'x',
    'd/e/f',
    'link/b',
    'link/new',
    'name',
  )
  const line = fc.constantFrom('one', 'two', 'b', 'x')
  const hunk = fc.oneof(
    fc.tuple(path, line).map(([to, text]) => [`*** Add File: ${to}`, `+${text}`]),
    path.map((gone) => [`*** Delete File: ${gone}`]),
    fc.tuple(path, line).map(([of, text]) => [`*** Update File: ${of}`, '@@', `-${text}`, '+x']),
    fc
      .tuple(path, path, line)
      .map(([of, to, text]) => [`*** Update File: ${of}`, `*** Move to: ${to}`, '@@', `-${text}`, '+x']),
  )
  const patch = fc
    .array(hunk, { minLength: 1, maxLength: 5 })
    .map((hunks) => ['*** Begin Patch', ...hunks.flat(), '*** End Patch'].join('\n'))

  const removedLink = [
    '*** Begin Patch',
    '*** Delete File: a',
    '*** Delete File: name',
    '*** End Patch',
  ].join('\n')

  test.prop([patch], { numRuns: 200, examples: [[removedLink]] })(
    'its rehearsal says what it would say, and changes nothing',
    async (text) => {
      const folder = folderWithFiles()
      const before = filesIn(folder)
      const rehearsal = rehearsedFiles()
      const rehearsed = await applyCompatible(text, rehearsal, folder)
      expect(filesIn(folder)).toEqual(before)
      expect(await applyCompatible(text, directFiles, folder)).toEqual(rehearsed)
      const expected = new Map(Object.entries(before))
      for (const [name, bytes] of rehearsal.changed) {
        if (bytes === null) expected.delete(name.slice(folder.length))
        else expected.set(name.slice(folder.length), Buffer.from(bytes).toString())
      }
      expect(filesIn(folder)).toEqual(Object.fromEntries(expected))
    },
  )
})
