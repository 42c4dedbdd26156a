import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hash } from 'node:crypto'
import type { FileVersion } from '../../../analysis/tamper/index.ts'
import { newFolder, put, treeOf } from '../fixtures/work-tree.ts'
import { updatesIn } from './updates.ts'

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
const npm = (found: string, content = found) =>
  `{"packages":{\n    "node_modules/left": {\n      "version": "1.0.0",\n      "integrity": "sha512-left"\n    },\n    "node_modules/eslint": {\n      "version": "${found}",\n      "resolved": "https://x/eslint-${content}.tgz",\n      "integrity": "sha512-${content.replaceAll('.', '')}"\n    }\n}}`
const yarn = (found: string, content = found) =>
  `eslint@^9:\n  version "${found}"\n  resolved "https://x/eslint-${content}.tgz#x"\n\nother@^1:\n  version "1.0.0"\n  resolved "https://x/other"\n`
const berry = (found: string, content = found) =>
  `"eslint@npm:^9":\n  version: ${found}\n  resolution: "eslint@npm:${found}"\n  checksum: 10/${content}\n`
const pnpm = (found: string, content = found) =>
  `packages:\n\n  eslint@${found}:\n    resolution: {integrity: sha512-${content.replaceAll('.', '')}}\n\n  left@1.0.0:\n    resolution: {integrity: sha512-left}\n`
const bun = (found: string, content = found) =>
  `"eslint": ["eslint@${found}", "", {}, "sha512-${content.replaceAll('.', '')}"],\n\n"left": ["left@1.0.0", "", {}, "sha512-left"],\n`
const uv = (found: string, content = found) =>
  `[[package]]\nname = "pytest"\nversion = "${found}"\nsdist = { hash = "sha256:${content.replaceAll('.', '')}" }\n\n[[package]]\nname = "six"\nversion = "1.0"\nsdist = { hash = "sha256:six" }\n`

describe('given a lock file that changed', () => {
  it.each([
    ['npm', 'package-lock.json', npm('9.0.0'), npm('9.1.0')],
    ['yarn', 'yarn.lock', yarn('9.0.0'), yarn('9.1.0')],
    ['yarn, newer', 'yarn.lock', berry('9.0.0'), berry('9.1.0')],
    ['pnpm', 'pnpm-lock.yaml', pnpm('9.0.0'), pnpm('9.1.0')],
    ['bun', 'bun.lock', bun('9.0.0'), bun('9.1.0')],
    ['yarn, no content', 'yarn.lock', 'eslint@^9:\n  version "9.0.0"\n', 'eslint@^9:\n  version "9.1.0"\n'],
    ['pnpm, no content', 'pnpm-lock.yaml', '  eslint@9.0.0:\n', '  eslint@9.1.0:\n'],
    ['bun, no content', 'bun.lock', '"eslint": ["eslint@9.0.0", ""]', '"eslint": ["eslint@9.1.0", ""]'],
  ])('takes what it names now for an update (%s)', async (_, lock, then, now) => {
    for (const path of ['node_modules/eslint', 'node_modules/.bin/eslint']) {
      expect(await isUpdate(path, eslint, lock, [then, now])).toBe(true)
      expect(await isUpdate(path, eslint, lock, [then, `${then}\n`])).toBe(false)
      expect(await isUpdate(path, eslint, lock, [now, `${now}\n`])).toBe(false)
    }
  })

  it.each([
    ['uv.lock', uv('8.0'), uv('8.1')],
    [
      'poetry.lock',
      '[[package]]\nname = "pytest"\nversion = "8.0"',
      '[[package]]\nname = "pytest"\nversion = "8.1"',
    ],
  ])('reads %s', async (lock, then, now) => {
    for (const path of ['.venv/lib/python3/site-packages/_pytest', '.venv/bin/pytest']) {
      expect(await isUpdate(path, pytest, lock, [then, now])).toBe(true)
      expect(await isUpdate(path, pytest, lock, [now, `${now}\n`])).toBe(false)
    }
  })

  it.each([
    ['npm', 'package-lock.json', npm('9.0.0'), npm('9.1.0', '9.0.0')],
    ['yarn', 'yarn.lock', yarn('9.0.0'), yarn('9.1.0', '9.0.0')],
    ['yarn, newer', 'yarn.lock', berry('9.0.0'), berry('9.1.0', '9.0.0')],
    ['pnpm', 'pnpm-lock.yaml', pnpm('9.0.0'), pnpm('9.1.0', '9.0.0')],
    ['bun', 'bun.lock', bun('9.0.0'), bun('9.1.0', '9.0.0')],
  ])('believes no version with the content of the earlier one (%s)', async (_, lock, then, now) => {
    expect(await isUpdate('node_modules/eslint', eslint, lock, [then, now])).toBe(false)
  })

  it('believes no version of Python with the content of the earlier one, and no request within the file', async () => {
    expect(await isUpdate('.venv/bin/pytest', pytest, 'uv.lock', [uv('8.0'), uv('8.1', '8.0')])).toBe(false)
    const now = npm('9.0.0').replace(
      '{"packages":{',
      '{"packages":{\n"": {"dependencies": {"eslint": "9.1.0"}},',
    )
    expect(await isUpdate('node_modules/eslint', eslint, 'package-lock.json', [npm('9.0.0'), now])).toBe(
      false,
    )
  })

  it('a lock file that nobody can read explains no runner', async () => {
    const files = { ...eslint, 'node_modules/left/package.json': '{"version":"2.0.0"}' }
    const ask = (path: string) => isUpdate(path, files, 'bun.lockb', [null, 'x'])
    expect(await ask('node_modules/left')).toBe(true)
    expect(await ask('node_modules/eslint')).toBe(false)
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
  const installed = {
    ...eslint,
    ...pytest,
    'node_modules/left/package.json': '{"version":"2.0.0"}',
    '.venv/lib/python3/site-packages/six-2.0.dist-info/METADATA': '',
    '.venv/lib/python3/site-packages/six/main.py': '',
  }
  const six = '.venv/lib/python3/site-packages/six'

  it.each([
    ['another version', 'package.json', '{"dependencies":{"left":"1"}}', '{"dependencies":{"left":"2"}}'],
    ['another pin', 'requirements.txt', 'six==1.0\n', 'six==2.0\n'],
    ['another pin', 'pyproject.toml', 'dependencies = ["six>=1"]\n', 'dependencies = ["six>=2"]\n'],
    ['a key', 'pyproject.toml', 'six = "^1"\n', 'six = "^2"\n'],
  ])('takes %s of the package in %s for an update', async (_, list, then, now) => {
    const path = list === 'package.json' ? 'node_modules/left' : six
    expect(await isUpdate(path, installed, list, [then, now])).toBe(true)
  })

  it.each([
    ['the version of the project', 'package.json', '{"version":"1.0.0"}', '{"version":"1.0.1"}'],
    ['another package', 'package.json', '{}', '{"dependencies":{"left-pad":"2"}}'],
    ['the layout', 'package.json', '{"dependencies":{"left":"1"}}', '{ "dependencies": { "left": "1" } }'],
    ['a remark', 'requirements.txt', 'six==1.0\n', '\nsix == 1.0 # six==2.0\n'],
    ['another package', 'requirements.txt', 'six==1.0\n', 'six==1.0\nsixteen==2.0\n'],
    ['the version of the project', 'pyproject.toml', 'version = "1"\n', 'version = "2"\n'],
  ])('does not take %s in %s for one', async (_, list, then, now) => {
    const path = list === 'package.json' ? 'node_modules/left' : six
    expect(await isUpdate(path, installed, list, [then, now])).toBe(false)
  })

  it.each([
    ['.venv/bin/pytest', 'requirements.txt', 'pytest==8.0\n', 'pytest==8.1\n'],
    ['node_modules/eslint', 'package.json', '{}', '{"devDependencies":{"eslint":"9.1.0"}}'],
  ])('asks about %s, which runs checks, whatever %s asks for', async (path, list, then, now) => {
    expect(await isUpdate(path, installed, list, [then, now])).toBe(false)
  })

  it('a lock file that came with the change explains nothing', async () => {
    const folder = newFolder()
    put(folder, { ...eslint, 'package-lock.json': '' })
    const change = { path: 'package-lock.json', before: null, after: version(npm('9.1.0')) }
    expect(updatesIn(folder, [change], await treeOf(folder))('node_modules/eslint')).toBe(false)
  })
})
