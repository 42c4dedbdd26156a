import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { JsonValue } from '@donecheck/core/internal/events'
import { asTrustedAsBefore } from './thread.ts'

let root = ''

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'donecheck-trust-')))
  mkdirSync(join(root, 'main/.git'), { recursive: true })
  mkdirSync(join(root, 'main/part'))
  mkdirSync(join(root, 'tree'))
  writeFileSync(join(root, 'tree/.git'), `gitdir: ${root}/main/.git/worktrees/tree\n`)
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

/** @param decided folders that the user's settings mention */
function saidOf(folder: string, decided: readonly string[]): Promise<unknown> {
  const projects = Object.fromEntries(decided.map((path) => [join(root, path), { trust_level: 'trusted' }]))
  const result: Readonly<Record<string, JsonValue>> = { config: { projects } }
  const request = () => Promise.resolve({ kind: 'result' as const, result })
  return asTrustedAsBefore({ request }, join(root, folder))
}

const untrusted = (folder: string) => ({
  config: { projects: { [join(root, folder)]: { trust_level: 'untrusted' } } },
})

it.each([
  ['main', []],
  ['main/part', ['other']],
  // Codex ignores entries for folders above the repository.
  ['main/part', ['.']],
  ['tree', ['tree/part']],
])('a thread in %s begins as untrusted where %j are decided', async (folder, decided) => {
  expect(await saidOf(folder, decided)).toEqual(untrusted(folder))
})

it.each([
  ['main', ['main']],
  ['main/part', ['main']],
  ['main/part', ['main/part']],
  ['tree', ['main']],
])("a thread in %s begins with the user's own word where %j are decided", async (folder, decided) => {
  expect(await saidOf(folder, decided)).toEqual({})
})

it('a thread begins as untrusted where nobody can say', async () => {
  const request = () => Promise.resolve({ kind: 'error' as const, code: -32_601, message: 'unknown method' })
  expect(await asTrustedAsBefore({ request }, join(root, 'main'))).toEqual(untrusted('main'))
})
