import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exitCodeOf, scriptsBehind } from './exit-code.ts'

let folder = ''

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'donecheck-exit-code-')))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function given(files: Readonly<Record<string, string>>) {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

const scripts = (entries: Readonly<Record<string, string>>) => JSON.stringify({ scripts: entries })
const kindOf = (line: string) => exitCodeOf(line, folder).kind

describe('given scripts of package.json', () => {
  it.each([
    'npm test',
    'npm t',
    'npm run test',
    'npm run-script test',
    'yarn test',
    'yarn run test',
    'pnpm test',
    'pnpm run -s test',
    'bun run test',
    'node --run test',
  ])('looks into the one that "%s" runs', async (line) => {
    await given({ 'package.json': scripts({ test: 'vitest run || true', other: 'node x.js' }) })
    expect(exitCodeOf(line, folder)).toEqual({
      kind: 'certain',
      reason: 'it ends with success whatever becomes of "vitest run"',
      where: 'package.json scripts.test',
    })
  })

  it('takes those before and after it for what decides it as well', async () => {
    await given({ 'package.json': scripts({ pretest: 'eslint .', test: 'vitest run; true' }) })
    expect(kindOf('npm test')).toBe('sound')
    await given({ 'package.json': scripts({ pretest: 'eslint . | tee log', test: 'vitest run; true' }) })
    expect(kindOf('npm test')).toBe('suspicious')
  })

  it('follows them from one to the next, to any depth', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [`s${index}`, `npm run s${index + 1}`]),
    )
    await given({
      'package.json': scripts({ ...chain, s9: 'run-s test:*', 'test:unit': 'bash scripts/test.sh' }),
      'scripts/test.sh': '#!/bin/sh\nnpx vitest run; exit 0\n',
    })
    expect(exitCodeOf('npm run s0', folder)).toMatchObject({ kind: 'certain', where: 'scripts/test.sh' })
    expect(scriptsBehind('npm run s0', folder).map(({ where }) => where)).toContain('scripts/test.sh')
  })

  it('finds those of another folder, and of the nearest folder above', async () => {
    await given({ 'sub/package.json': scripts({ test: 'vitest || true' }), 'sub/deep/x': '' })
    for (const line of ['npm --prefix sub test', 'pnpm -C sub test', '! false && cd sub; npm test'])
      expect(scriptsBehind(line, folder).map(({ where }) => where)).toContain('sub/package.json scripts.test')
    expect(kindOf('npm --prefix sub test')).toBe('certain')
  })

  it('is content with plain ones, and with scripts that call each other', async () => {
    await given({
      'package.json': scripts({
        test: 'npm run unit && npm run lint',
        unit: 'vitest run',
        lint: 'npm run lint',
      }),
    })
    expect(kindOf('npm test')).toBe('sound')
  })

  it.each([
    ['there is no manifest', {}],
    ['it is malformed', { 'package.json': '{ "scripts": ' }],
    ['there is no such script', { 'package.json': scripts({ other: 'true' }) }],
    ['it is too long', { 'package.json': ' '.repeat(1024 * 1024 + 1) }],
    ['it is no shell text', { 'package.json': scripts({ test: 'if (' }) }],
  ])('leaves it to the command where %s', async (_, files) => {
    await given(files)
    expect(kindOf('npm test')).toBe('sound')
  })

  it('knows nothing of the scripts of other packages', async () => {
    await given({ 'package.json': scripts({ test: 'true' }) })
    expect(kindOf('npm test --workspaces')).toBe('sound')
    expect(kindOf('pnpm -r test')).toBe('sound')
    expect(kindOf('npm test')).toBe('certain')
  })
})

describe('given a Makefile', () => {
  it.each([
    ['ignores a line', 'test:\n\t-go test ./...\n'],
    ['masks a line', 'test:\n\t@go test ./... || true\n'],
    ['masks a prerequisite', 'test: unit\n\t@echo ok\nunit:\n\tgo test ./...; true\n'],
    ['masks through a variable', 'GO = go test ./... || true\ntest:\n\t$(GO)\n'],
    ['calls itself', 'test:\n\t$(MAKE) unit\nunit:\n\t-go test ./...\n'],
  ])('is certain where it %s', async (_, makefile) => {
    await given({ Makefile: makefile })
    const found = exitCodeOf('make test', folder)
    expect(found.kind).toBe('certain')
    expect(JSON.stringify(found)).toMatch(/go test.*"where":"Makefile target /)
  })

  it.each([
    ['ignores all', '.IGNORE:\ntest:\n\tgo test ./...\n', /\.IGNORE/],
    ['sets flags', 'MAKEFLAGS += -i\ntest:\n\tgo test ./...\n', /MAKEFLAGS/],
    ['replaces the shell', 'SHELL := /bin/true\ntest:\n\tgo test ./...\n', /no shell/],
  ])('suspects one that %s', async (_, makefile, reason) => {
    await given({ Makefile: makefile })
    const found = exitCodeOf('make test', folder)
    expect(found.kind).toBe('suspicious')
    expect(JSON.stringify(found)).toMatch(reason)
  })

  it('suspects a target that a file of its name keeps from running', async () => {
    await given({ Makefile: 'test:\n\tgo test ./...\n', test: '' })
    expect(exitCodeOf('make test', folder)).toMatchObject({ kind: 'suspicious' })
    await given({ Makefile: '.PHONY: test\ntest:\n\tgo test ./...\n' })
    expect(kindOf('make test')).toBe('sound')
  })

  it.each([
    ['a variable that the environment may set', 'CMD ?= true\ntest:\n\t$(CMD)\n'],
    ['a variable with two values', 'ifdef X\nCMD = go test\nelse\nCMD = true\nendif\ntest:\n\t$(CMD)\n'],
    ['a recipe that is included', 'include rules.mk\n.PHONY: test\ntest: unit\n\t@echo ok\n'],
    ['no recipe for it', 'lint:\n\tgolint\n'],
    ['no recipe at all', '.PHONY: test\ntest:\n'],
  ])('is certain of nothing where there is %s', async (_, makefile) => {
    await given({ Makefile: makefile })
    expect(kindOf('make test')).toBe('sound')
  })

  it('takes the first target where none is named, another file and another folder', async () => {
    await given({ 'sub/build.mk': 'all:\n\t-go test ./...\n' })
    expect(exitCodeOf('make -C sub -f build.mk', folder)).toMatchObject({
      where: 'sub/build.mk target all',
    })
  })

  it('reads a recipe as the shell gets it, with its tidying up and its shell flags', async () => {
    await given({ Makefile: 'test:\n\tgo test ./... > log; code=$$?; cat log; exit $$code\n' })
    expect(kindOf('make test')).toBe('sound')
    await given({
      Makefile:
        'SHELL = /bin/bash\n.SHELLFLAGS = -eo pipefail -c\nX ?= $$HOME\ntest: clean\n\tgo test ./... | tee log\nclean:\n\t-rm -rf log $(OUT)\n',
    })
    expect(kindOf('make test')).toBe('sound')
  })
})

describe('given a shell script', () => {
  it.each([
    './check.sh',
    'bash check.sh',
    'sh ./check.sh',
    '. ./check.sh',
    'cd . && ./check.sh || ./check.sh',
  ])('looks into the one that "%s" runs', async (line) => {
    await given({ 'check.sh': '#!/bin/bash\npytest -q || true\n' })
    await chmod(join(folder, 'check.sh'), 0o755)
    expect(scriptsBehind(line, folder).map(({ where }) => where)).toEqual(['check.sh'])
    expect(kindOf(line)).toBe('certain')
  })

  it('knows the options of its first line, where that counts', async () => {
    await given({ 'check.sh': '#!/bin/bash -e\npytest -q\necho done\n' })
    expect(kindOf('./check.sh')).toBe('sound')
    expect(kindOf('bash check.sh')).toBe('certain')
    expect(kindOf('bash -e check.sh')).toBe('sound')
  })

  it('knows what a sourced file sets', async () => {
    await given({ 'options.sh': 'set -e\n', 'check.sh': '. ./options.sh\npytest -q\necho done\n' })
    expect(kindOf('sh check.sh')).toBe('sound')
  })

  it('leaves programs in other languages alone', async () => {
    await given({ 'check.py': '#!/usr/bin/env python3\nx = "a || true"\n', tool: '\u0000ELF' })
    expect(kindOf('./check.py && ./tool')).toBe('sound')
  })
})
