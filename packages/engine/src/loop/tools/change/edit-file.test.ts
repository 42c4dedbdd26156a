import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonValue } from '@donecheck/core/internal/events'
import type { Tool } from '../../../ports/loop.ts'
import {
  ready,
  removeToolFolders,
  toolContract,
  toolFolder,
} from '../../../testing/contracts/tool-contract.ts'
import { editFileTool } from './change-tools.ts'

const good = { path: 'a.txt', old_text: 'two', new_text: '2' }

function toolIn(workFolder: string): Tool {
  return editFileTool(workFolder)
}

toolContract('edit_file', { make: toolIn, good, pathArgument: 'path' })
afterEach(removeToolFolders)

const never = new AbortController().signal

async function edited(content: string, args: Record<string, JsonValue>): Promise<string> {
  const folder = toolFolder()
  writeFileSync(join(folder, 'x'), content)
  await (await ready(toolIn(folder), { path: 'x', ...args })).run(never)
  return readFileSync(join(folder, 'x'), 'utf8')
}

async function refusal(content: string | Buffer, args: Record<string, JsonValue>): Promise<string> {
  const folder = toolFolder()
  writeFileSync(join(folder, 'x'), content)
  const prepared = await toolIn(folder).prepare({ path: 'x', ...args })
  expect(readFileSync(join(folder, 'x')).equals(Buffer.from(content))).toBe(true)
  return prepared.kind === 'invalid' ? prepared.reason : 'not refused'
}

describe('given a text that stands in the file once', () => {
  it('shows the change, does it and keeps the mode', async () => {
    const folder = toolFolder()
    chmodSync(join(folder, 'a.txt'), 0o755)
    const call = await ready(toolIn(folder), good)
    expect(call.summary).toBe('edit a.txt (+1 -1)')
    expect(call.preview).toBe(
      'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2',
    )
    expect(await call.run(never)).toEqual({ status: 'ok', output: 'edit a.txt (+1 -1): done' })
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\n2\n')
    expect(statSync(join(folder, 'a.txt')).mode & 0o777).toBe(0o755)
  })

  it('keeps line endings and byte order mark, whichever line endings the model uses', async () => {
    const content = '\ufeffa\r\nb\r\nc\r\n'
    const expected = '\ufeffa\r\nB\r\nBB\r\nc\r\n'
    expect(await edited(content, { old_text: 'b\nc', new_text: 'B\nBB\nc' })).toBe(expected)
    expect(await edited(content, { old_text: 'b\r\nc', new_text: 'B\r\nBB\r\nc' })).toBe(expected)
  })

  it('an edit that would leave the file as it is is refused, and says why', async () => {
    expect(await refusal('a\r\nb\r\n', { old_text: 'a\nb', new_text: 'a\r\nb' })).toBe(
      'x: the old and the new text are the same: nothing would change',
    )
  })
})

describe('given a text that does not stand there once', () => {
  it('says how often and where', async () => {
    expect(await refusal('x\ny\nx\n', { old_text: 'x', new_text: 'z' })).toContain(
      'x: the old text stands at 2 places, lines 1, 3: ',
    )
    expect(await refusal('x\n', { old_text: 'y', new_text: 'z' })).toBe(
      'x: the old text is not in the file: read it again and copy it exactly',
    )
  })
})

describe('given a text that is not UTF-8', () => {
  const latin = Buffer.from('caf\xe9 = 1\r\nb\r\n', 'latin1')

  it('changes what is asked for, shows it, and leaves every other byte alone', async () => {
    const folder = toolFolder()
    writeFileSync(join(folder, 'x'), latin)
    const call = await ready(toolIn(folder), { path: 'x', old_text: '= 1\nb', new_text: '= 2\nc' })
    expect(call.preview).toBe(
      'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-café = 1\n-b\n+café = 2\n+c',
    )
    expect(call.action).toMatchObject({
      files: [{ before: 'café = 1\r\nb\r\n', after: 'café = 2\r\nc\r\n' }],
    })
    await call.run(never)
    expect(readFileSync(join(folder, 'x'), 'latin1')).toBe('caf\xe9 = 2\r\nc\r\n')
  })

  it('takes nothing into it that could mean something else there', async () => {
    expect(await refusal(latin, { old_text: 'b', new_text: 'ü' })).toContain('only ASCII can be put into it')
  })
})

describe('given a file that cannot be edited', () => {
  it('one that is binary is not corrupted', async () => {
    expect(await refusal(Buffer.from([0x61, 0]), { old_text: 'a', new_text: 'b' })).toBe(
      'x is binary: it holds NUL bytes, so it cannot be changed as a text',
    )
  })

  it('one that does not exist is named, with the one that was perhaps meant', async () => {
    expect(await toolIn(toolFolder()).prepare({ ...good, path: 'A.txt' })).toEqual({
      kind: 'invalid',
      reason:
        'edit_file changes what exists, write_file creates: there is no file A.txt; did you mean a.txt?',
    })
  })
})
