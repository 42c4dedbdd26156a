import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonValue } from '@donecheck/core/internal/events'
import {
  ready,
  removeToolFolders,
  toolContract,
  toolFolder,
} from '../../../testing/contracts/tool-contract.ts'
import { listFilesTool } from './list-files.ts'

toolContract('list_files', { make: listFilesTool, good: { path: 'd' }, pathArgument: 'path' })
afterEach(removeToolFolders)

const never = new AbortController().signal

/** A nested folder with every kind of entry. */
function deepFolder(): string {
  const folder = toolFolder()
  for (const path of ['d/e/f', '.git', 'node_modules/m', 'd/node_modules'])
    mkdirSync(join(folder, path), { recursive: true })
  for (const path of ['d/e/f/g.ts', 'd/e/h.ts', '.git/config', 'node_modules/m/i.ts', '.hidden', 'new\nline'])
    writeFileSync(join(folder, path), '')
  symlinkSync('../outside.txt', join(folder, 'link'))
  symlinkSync('..', join(folder, 'up'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
  return folder
}

async function list(folder: string, args: Record<string, JsonValue>): Promise<readonly string[]> {
  return (await (await ready(listFilesTool(folder), args)).run(never)).output.split('\n')
}

describe('given a folder', () => {
  it('shows two levels, follows no symlink and skips what package managers and git keep', async () => {
    expect(await list(deepFolder(), {})).toEqual([
      ...['.hidden', 'a.txt', 'd/', 'd/b.txt', 'd/e/', 'link -> ../outside.txt'],
      ...['new\\nline', 'pipe (not a regular file)', 'up -> ..'],
    ])
  })

  it('says when there is more', async () => {
    const lines = await list(deepFolder(), { limit: 3 })
    expect(lines).toEqual([
      ...['.hidden', 'a.txt', 'd/'],
      '[the first 3; there are more: narrow it by path, pattern or depth]',
    ])
  })

  it.each([
    ['a.txt', 'a.txt is not a folder'],
    ['no', 'there is no folder no'],
  ])('%s: %s', async (path, output) => {
    expect(await (await ready(listFilesTool(toolFolder()), { path })).run(never)).toEqual({
      status: 'error',
      output,
    })
  })
})
