import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { newFileMode } from '../../../system/files/index.ts'
import type { Tool } from '../../../ports/loop.ts'
import {
  ready,
  removeToolFolders,
  toolContract,
  toolFolder,
} from '../../../testing/contracts/tool-contract.ts'
import { applyPatchTool } from './change-tools.ts'

function toolIn(workFolder: string): Tool {
  return applyPatchTool(workFolder)
}

function patchOf(...lines: readonly string[]): string {
  return ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n')
}

const change = ['*** Update File: a.txt', '@@', ' one', '-two', '+2']

toolContract('apply_patch', { make: toolIn, good: { patch: patchOf(...change) } })
afterEach(removeToolFolders)

const never = new AbortController().signal

describe('given a patch of several files', () => {
  const patch = patchOf(
    ...change,
    '*** Delete File: d/b.txt',
    '*** Add File: new/deep/x.sh',
    '+echo',
    '*** Update File: c.txt',
    '*** Move to: moved/c.txt',
    '@@',
    '-c',
    '+C',
  )

  function folderWithC(): string {
    const folder = toolFolder()
    writeFileSync(join(folder, 'c.txt'), 'c\n', { mode: 0o750 })
    return folder
  }

  it('shows all of it before anything is written', async () => {
    const folder = folderWithC()
    const call = await ready(toolIn(folder), { patch })
    expect(call.summary).toBe('patch 5 files: A new/deep/x.sh, M a.txt, M moved/c.txt, D d/b.txt')
    expect(call.preview).toContain('--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n')
    expect(call.preview).toContain('rename from c.txt\nrename to moved/c.txt')
    expect(call.action).toEqual({
      kind: 'change',
      files: expect.arrayContaining([
        { path: 'a.txt', before: 'one\ntwo\n', after: 'one\n2\n' },
        { path: 'd/b.txt', before: 'one\n', after: null },
        { path: 'new/deep/x.sh', before: null, after: 'echo\n' },
        { path: 'c.txt', before: 'c\n', after: null },
        { path: 'moved/c.txt', before: null, after: 'C\n' },
      ]) as unknown,
    })
    expect(existsSync(join(folder, 'new'))).toBe(false)
  })

  it('makes all of it, keeps modes, and answers as models know it', async () => {
    const folder = folderWithC()
    const call = await ready(toolIn(folder), { patch })
    expect(await call.run(never)).toEqual({
      status: 'ok',
      output: 'Success. Updated the following files:\nA new/deep/x.sh\nM a.txt\nM moved/c.txt\nD d/b.txt',
    })
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\n2\n')
    expect(readFileSync(join(folder, 'moved/c.txt'), 'utf8')).toBe('C\n')
    expect(statSync(join(folder, 'moved/c.txt')).mode & 0o777).toBe(0o750)
    expect(statSync(join(folder, 'new/deep/x.sh')).mode & 0o777).toBe(newFileMode())
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(
      ['a.txt', 'd', 'moved', 'moved/c.txt', 'new', 'new/deep', 'new/deep/x.sh'].sort(),
    )
  })

  it('a file that changes in the meantime stays, and so do all others', async () => {
    const folder = folderWithC()
    const call = await ready(toolIn(folder), { patch })
    writeFileSync(join(folder, 'c.txt'), 'theirs\n')
    expect(await call.run(never)).toMatchObject({
      status: 'error',
      output: expect.stringContaining(
        'c.txt has changed, since the call was prepared. Nothing was written',
      ) as string,
    })
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\ntwo\n')
    expect(existsSync(join(folder, 'new'))).toBe(false)
  })

  it('a folder that becomes a symlink in the meantime is not followed', async () => {
    const folder = folderWithC()
    mkdirSync(join(folder, '../outside'))
    const call = await ready(toolIn(folder), { patch })
    renameSync(join(folder, 'd'), join(folder, 'e'))
    symlinkSync('../outside', join(folder, 'd'))
    expect(await call.run(never)).toMatchObject({ status: 'error' })
    expect(readFileSync(join(folder, 'e/b.txt'), 'utf8')).toBe('one\n')
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\ntwo\n')
  })
})

describe('given a patch that does not apply', () => {
  it.each([
    ['a text that is no patch', 'rm -rf x', 'Begin Patch'],
    ['a file that is not there', patchOf('*** Delete File: no.txt'), 'no.txt'],
    ['lines that are not there', patchOf('*** Update File: a.txt', '@@', ' one', '-twoo', '+2'), 'two'],
    ['a symlink out of the folder', patchOf('*** Update File: link', '@@', '-not yours', '+mine'), 'outside'],
  ])('%s is refused before anything is written', async (_, patch, reason) => {
    const folder = toolFolder()
    symlinkSync('../outside.txt', join(folder, 'link'))
    const prepared = await toolIn(folder).prepare({ patch })
    expect(prepared).toMatchObject({
      kind: 'invalid',
      label: 'invalid_patch',
      reason: expect.stringContaining(reason) as string,
    })
  })

  it.each(['../x', '/tmp/x'])('a path that leads out, %s, has its own label', async (path) => {
    const prepared = await toolIn(toolFolder()).prepare({ patch: patchOf(`*** Add File: ${path}`, '+x') })
    expect(prepared).toMatchObject({
      kind: 'invalid',
      label: 'outside_work_folder',
      reason: expect.stringContaining(path) as string,
    })
  })
})
