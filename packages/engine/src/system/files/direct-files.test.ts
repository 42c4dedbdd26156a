import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { directFiles } from './direct-files.ts'

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

  it('reads bytes, also through a link', async () => {
    for (const name of ['file', 'link'])
      expect(await directFiles.read(join(folder, name))).toEqual({ kind: 'read', bytes: Buffer.from('a\n') })
  })

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

  it('removes a link and not what it leads to', async () => {
    expect(await directFiles.remove(join(folder, 'link'))).toBe(true)
    expect(await readdir(folder)).toEqual(['dangling', 'file', 'folder', 'loop'])
  })

  it.each(['folder', 'missing', 'dangling', 'loop'])('does not remove: %s', async (name) => {
    expect(await directFiles.remove(join(folder, name))).toBe(false)
  })
})
