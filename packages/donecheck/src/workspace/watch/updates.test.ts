import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { hash } from 'node:crypto'
import type { FileVersion } from '../../tamper/index.ts'
import { newFolder, put, removeFolders, treeOf } from '../fixtures/work-tree.ts'
import { updatesIn } from './updates.ts'

afterEach(removeFolders)

const version = (text: string | null): FileVersion => ({
  kind: 'file',
  digest: hash('sha256', text ?? ''),
  mode: 0o644,
  text,
})

async function isUpdate(
  path: string,
  files: Readonly<Record<string, string>>,
  lock: string,
  texts: readonly [string | null, string | null],
): Promise<boolean> {
  const folder = newFolder()
  put(folder, { ...files, [lock]: texts[1] ?? '' })
  const change = { path: lock, before: version(texts[0]), after: version(texts[1]) }
  return updatesIn(folder, [change], await treeOf(folder))(path)
}

const eslint = {
  'node_modules/eslint/package.json': '{"version":"9.1.0"}',
  'node_modules/.bin/eslint': 'run',
}
const pytest = {
  '.venv/lib/python3/site-packages/pytest-8.1.dist-info/METADATA': '',
  '.venv/lib/python3/site-packages/_pytest/main.py': '',
  '.venv/bin/pytest': '',
}
const npm = (found: string) =>
  `{"packages":{\n    "node_modules/eslint": {\n      "version": "${found}",\n      "resolved": "x"\n}}}`

describe('given a lock file that changed', () => {
  it.each([
    ['npm', 'package-lock.json', npm('9.0.0'), npm('9.1.0')],
    ['yarn', 'yarn.lock', 'eslint@^9:\n  version "9.0.0"\n', 'eslint@^9:\n  version "9.1.0"\n'],
    ['pnpm', 'pnpm-lock.yaml', '  eslint@9.0.0:\n', '  eslint@9.1.0:\n'],
    ['bun', 'bun.lock', '"eslint": ["eslint@9.0.0", ""]', '"eslint": ["eslint@9.1.0", ""]'],
  ])('takes what it names now for an update (%s)', async (_, lock, then, now) => {
    for (const path of ['node_modules/eslint', 'node_modules/.bin/eslint']) {
      expect(await isUpdate(path, eslint, lock, [then, now])).toBe(true)
      expect(await isUpdate(path, eslint, lock, [then, `${then}\n`])).toBe(false)
      expect(await isUpdate(path, eslint, lock, [now, `${now}\n`])).toBe(false)
    }
  })

  it.each([
    [
      'uv.lock',
      '[[package]]\nname = "pytest"\nversion = "8.0"',
      '[[package]]\nname = "pytest"\nversion = "8.1"',
    ],
  ])('reads %s', async (lock, then, now) => {
    for (const path of ['.venv/lib/python3/site-packages/_pytest', '.venv/bin/pytest']) {
      expect(await isUpdate(path, pytest, lock, [then, now])).toBe(true)
      expect(await isUpdate(path, pytest, lock, [now, `${now}\n`])).toBe(false)
    }
  })

  it('does not take one package for another', async () => {
    const now = npm('9.1.0').replace('node_modules/eslint"', 'node_modules/eslint-plugin-x"')
    expect(await isUpdate('node_modules/.bin/eslint', eslint, 'package-lock.json', ['{}', now])).toBe(false)
  })

  it('finds the package of a program that is a link, and of a starting script', async () => {
    const folder = newFolder()
    const names = {
      'node_modules/typescript/bin/tsc': '',
      'node_modules/typescript/package.json': '{"version":"6.0.0"}',
      'node_modules/.bin/tsserver': 'exec node "$basedir/../node_modules/typescript/bin/tsserver"',
      'package-lock.json': '',
    }
    put(folder, names)
    symlinkSync('../typescript/bin/tsc', join(folder, 'node_modules/.bin/tsc'))
    const change = {
      path: 'package-lock.json',
      before: version('{}'),
      after: version('"node_modules/typescript": {\n "version": "6.0.0"'),
    }
    const isOf = updatesIn(folder, [change], await treeOf(folder))
    expect(isOf('node_modules/.bin/tsc')).toBe(true)
    expect(isOf('node_modules/.bin/tsserver')).toBe(true)
    expect(isOf('node_modules/.bin/other')).toBe(false)
  })
})

describe('given no lock file', () => {
  it('takes another list of what was asked for, and not a line more or a remark', async () => {
    const then = 'pytest==8.0\n'
    const ask = (now: string) => isUpdate('.venv/bin/pytest', pytest, 'requirements.txt', [then, now])
    expect(await ask('pytest==8.1\n')).toBe(true)
    expect(await ask('\npytest == 8.0 # later\n')).toBe(false)
  })
})
