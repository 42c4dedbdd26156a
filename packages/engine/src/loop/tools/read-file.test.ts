import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonValue } from '@donecheck/core/internal/events'
import { ready, removeToolFolders, toolContract, toolFolder } from '../../testing/contracts/tool-contract.ts'
import { readFileTool } from './read-file.ts'

toolContract('read_file', { make: readFileTool, good: { path: 'a.txt' }, pathArgument: 'path' })
afterEach(removeToolFolders)

const never = new AbortController().signal

async function read(content: string | Buffer, args: Record<string, JsonValue> = {}) {
  const folder = toolFolder()
  writeFileSync(join(folder, 'x'), content)
  return (await ready(readFileTool(folder), { path: 'x', ...args })).run(never)
}

describe('given a text file', () => {
  it('shows a part by lines, and says how to go on', async () => {
    expect((await read('1\n2\n3\n4\n', { offset: 2, limit: 2 })).output).toBe(
      '2\n3\n[lines 2 to 3 of 4; go on with offset 4]',
    )
    expect((await read('1\n2\n3\n4\n', { offset: 4 })).output).toBe('4\n[lines 4 to 4 of 4]')
  })

  it('shows a long file piece by piece, whole lines each', async () => {
    const { output } = await read(`${'x'.repeat(1_023)}\n`.repeat(1_000))
    expect(output).toMatch(/x\n\[lines 1 to 256 of 1000; go on with offset 257\]$/)
  })

  it('names line endings and a byte order mark', async () => {
    expect((await read('\ufeffa\r\nb\r\n')).output).toBe(
      'a\nb\n[starts with a byte order mark, lines end with CR LF]',
    )
  })
})

describe('given something else', () => {
  it('a binary file is named as such, with its size', async () => {
    expect(await read(Buffer.from([1, 0, 2]))).toEqual({
      status: 'error',
      output: 'x is a binary file of 3 bytes',
    })
  })

  it('a text in another encoding is shown as an edit of it would find it', async () => {
    expect(await read(Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]))).toEqual({
      status: 'ok',
      output:
        'café\n[not UTF-8: bytes above 127 are shown as Latin-1 and stay as they are; only ASCII can be put into it]',
    })
  })

  it.each([
    ['d', 'd is a folder'],
    ['pipe', 'pipe is not a regular file'],
    ['d/c.txt', 'there is no file d/c.txt; did you mean d/b.txt?'],
    ['d/utterly-different', 'there is no file d/utterly-different'],
  ])('%s: %s', async (path, output) => {
    const folder = toolFolder()
    execFileSync('mkfifo', [join(folder, 'pipe')])
    expect(await (await ready(readFileTool(folder), { path })).run(never)).toEqual({
      status: 'error',
      output,
    })
  })

  it('a file that is far too large is not loaded', async () => {
    const folder = toolFolder()
    execFileSync('truncate', ['--size', '40M', join(folder, 'huge')])
    expect(await (await ready(readFileTool(folder), { path: 'huge' })).run(never)).toEqual({
      status: 'error',
      output: 'huge has 41943040 bytes, more than the 33554432 that can be handled',
    })
  })
})
