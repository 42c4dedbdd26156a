import { chmodSync, linkSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Tool } from '../../../ports/loop.ts'
import {
  ready,
  removeToolFolders,
  toolContract,
  toolFolder,
} from '../../../testing/contracts/tool-contract.ts'
import { writeFileTool } from './change-tools.ts'

function toolIn(workFolder: string): Tool {
  return writeFileTool(workFolder)
}

toolContract('write_file', {
  make: toolIn,
  good: { path: 'a.txt', content: 'new\n' },
  pathArgument: 'path',
})
afterEach(removeToolFolders)

const never = new AbortController().signal

describe('given content for a new file', () => {
  it('creates it, with the folders above it', async () => {
    const folder = toolFolder()
    const call = await ready(toolIn(folder), { path: 'new/deep/x.txt', content: 'one\ntwo' })
    expect(call.summary).toBe('write new/deep/x.txt (new, 2 lines)')
    expect(call.preview).toContain('--- /dev/null\n+++ b/new/deep/x.txt\n')
    expect(await call.run(never)).toEqual({
      status: 'ok',
      output: 'write new/deep/x.txt (new, 2 lines): done',
    })
    expect(readFileSync(join(folder, 'new/deep/x.txt'), 'utf8')).toBe('one\ntwo')
    expect(readdirSync(join(folder, 'new/deep'))).toEqual(['x.txt'])
  })

  it.each([
    ['a half surrogate', '\ud800', 'not valid Unicode'],
    ['a NUL character', 'a\0b', 'NUL'],
    ['more than 2 MiB', 'ü'.repeat(1024 * 1024 + 1), 'longer than 2097152 bytes'],
  ])('refuses %s', async (_, content, reason) => {
    expect(await toolIn(toolFolder()).prepare({ path: 'x', content })).toMatchObject({
      kind: 'invalid',
      reason: expect.stringContaining(reason) as string,
    })
  })

  it('a file that appears in the meantime is not overwritten', async () => {
    const folder = toolFolder()
    const call = await ready(toolIn(folder), { path: 'x', content: 'mine' })
    writeFileSync(join(folder, 'x'), 'theirs')
    expect(await call.run(never)).toMatchObject({
      status: 'error',
      output: expect.stringContaining('has been created by somebody else') as string,
    })
    expect(readFileSync(join(folder, 'x'), 'utf8')).toBe('theirs')
  })
})

describe('given content for a file that exists', () => {
  it('shows the difference, replaces all of it and keeps its mode', async () => {
    const folder = toolFolder()
    chmodSync(join(folder, 'a.txt'), 0o750)
    const call = await ready(toolIn(folder), { path: 'a.txt', content: 'one\n2\nthree\n' })
    expect(call.summary).toBe('write a.txt (+2 -1)')
    expect(call.preview).toContain(' one\n-two\n+2\n+three')
    await call.run(never)
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\n2\nthree\n')
    expect(statSync(join(folder, 'a.txt')).mode & 0o777).toBe(0o750)
  })

  it('writes through a symlink to the file that it leads to', async () => {
    const folder = toolFolder()
    symlinkSync('../a.txt', join(folder, 'd/link'))
    const call = await ready(toolIn(folder), { path: 'd/link', content: 'new\n' })
    expect(call.summary).toBe('write a.txt (+1 -2)')
    await call.run(never)
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('new\n')
  })

  it('does not reach outside through a hard link', async () => {
    const folder = toolFolder()
    linkSync(join(folder, '../outside.txt'), join(folder, 'hard'))
    await (await ready(toolIn(folder), { path: 'hard', content: 'new\n' })).run(never)
    expect(readFileSync(join(folder, '../outside.txt'), 'utf8')).toBe('not yours\n')
  })

  it.each([
    ['binary', Buffer.from([1, 0, 2]), 'x is a binary file of 3 bytes, and is not overwritten with text'],
    [
      'of another encoding',
      Buffer.from([0xe9]),
      'x is a text of 1 bytes that is not UTF-8, and is not overwritten with UTF-8: use edit_file',
    ],
    [
      'UTF-16',
      Buffer.from('\ufeffa', 'utf16le'),
      'x is a binary file of 4 bytes, and is not overwritten with text',
    ],
  ])('one that is %s is left alone', async (_, bytes, reason) => {
    const folder = toolFolder()
    writeFileSync(join(folder, 'x'), bytes)
    expect(await toolIn(folder).prepare({ path: 'x', content: 'a' })).toEqual({
      kind: 'invalid',
      reason,
    })
  })

  it('one that is read-only is left alone, and so is a folder', async () => {
    const folder = toolFolder()
    chmodSync(join(folder, 'a.txt'), 0o444)
    const tool = toolIn(folder)
    expect(await tool.prepare({ path: 'a.txt', content: 'a' })).toEqual({
      kind: 'invalid',
      reason: 'a.txt is read-only (mode 444)',
    })
    expect(await tool.prepare({ path: 'd', content: 'a' })).toEqual({
      kind: 'invalid',
      reason: 'd is a folder',
    })
  })
})
