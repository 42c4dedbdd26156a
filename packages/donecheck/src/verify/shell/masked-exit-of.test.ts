import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { maskedExitOf } from './masked-exit.ts'

let folder = ''

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'donecheck-masked-')))
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
    'npm run other && npm test -- --bail',
  ])('looks into the one that "%s" runs', async (line) => {
    await given({ 'package.json': scripts({ test: 'vitest run || true', other: 'node x.js' }) })
    expect(await maskedExitOf(line, folder)).toEqual({
      reason: 'its exit code hides a failure of "vitest run": it is turned into a success by "|| true"',
      where: 'package.json scripts.test',
    })
  })

  it('looks into those that run before and after it', async () => {
    await given({ 'package.json': scripts({ pretest: 'eslint . | tee log', test: 'vitest run' }) })
    expect(await maskedExitOf('npm test', folder)).toMatchObject({ where: 'package.json scripts.pretest' })
  })

  it('follows them from one to the next', async () => {
    await given({
      'package.json': scripts({
        test: 'run-s test:*',
        'test:unit': 'npm run real',
        real: 'bash scripts/test.sh',
      }),
      'scripts/test.sh': '#!/bin/sh\nnpx vitest run; exit 0\n',
    })
    expect(await maskedExitOf('npm test', folder)).toMatchObject({ where: 'scripts/test.sh' })
  })

  it('finds those of another folder, and of the nearest folder above', async () => {
    await given({ 'sub/package.json': scripts({ test: 'vitest; true' }), 'sub/deep/x': '' })
    for (const line of [
      'cd sub && npm test',
      'npm --prefix sub test',
      'pnpm -C sub test',
      'cd sub/deep; npm test',
    ])
      expect(await maskedExitOf(line, folder)).toMatchObject({ where: 'sub/package.json scripts.test' })
  })

  it('sees settings under which scripts are not run', async () => {
    await given({ 'package.json': scripts({ test: 'vitest run' }), '.npmrc': 'script-shell=/bin/true\n' })
    expect((await maskedExitOf('npm test', folder))?.reason).toMatch(/script-shell/)
  })

  it('is content with plain ones, and with scripts that call each other', async () => {
    await given({
      'package.json': scripts({
        test: 'npm run unit && npm run lint',
        unit: 'vitest run',
        lint: 'npm run lint',
      }),
    })
    expect(await maskedExitOf('npm test', folder)).toBeUndefined()
  })

  it('is content where there is no such script or no readable manifest: the command says so itself', async () => {
    expect(await maskedExitOf('npm test', folder)).toBeUndefined()
    await given({ 'package.json': '{ "scripts": ' })
    expect(await maskedExitOf('npm test', folder)).toBeUndefined()
  })

  it('refuses what leads on and on', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [`s${index}`, `npm run s${index + 1}`]),
    )
    await given({ 'package.json': scripts(chain) })
    expect((await maskedExitOf('npm run s0', folder))?.reason).toMatch(/more than 5 levels/)
  })

  it('refuses a manifest that is too long to be read', async () => {
    await given({ 'package.json': ' '.repeat(1024 * 1024 + 1) })
    expect((await maskedExitOf('npm test', folder))?.reason).toMatch(/cannot be trusted/)
  })
})

describe('given a Makefile', () => {
  it.each([
    ['ignores a line', 'test:\n\t-go test ./...\n', /"-" before "go test/],
    ['masks a line', 'test:\n\t@go test ./... || true\n', /\|\| true/],
    ['masks a prerequisite', 'test: unit\n\t@echo ok\nunit:\n\tgo test ./...; true\n', /forgotten/],
    ['ignores all', '.IGNORE:\ntest:\n\tgo test ./...\n', /\.IGNORE/],
    ['sets flags', 'MAKEFLAGS += -i\ntest:\n\tgo test ./...\n', /MAKEFLAGS/],
    ['replaces the shell', 'SHELL := /bin/true\ntest:\n\tgo test ./...\n', /no shell/],
    ['masks through a variable', 'GO = go test ./... || true\ntest:\n\t$(GO)\n', /\|\| true/],
    ['calls itself', 'test:\n\t$(MAKE) unit\nunit:\n\t-go test ./...\n', /"-" before/],
  ])('sees that it %s', async (_, makefile, reason) => {
    await given({ Makefile: makefile })
    const masked = await maskedExitOf('make test', folder)
    expect(masked?.reason).toMatch(reason)
    expect(masked?.where).toMatch(/^Makefile target /)
  })

  it('sees a file that keeps the target from running', async () => {
    await given({ Makefile: 'test:\n\tgo test ./...\n', test: '' })
    expect((await maskedExitOf('make test', folder))?.reason).toMatch(/runs nothing/)
    await given({ Makefile: '.PHONY: test\ntest:\n\tgo test ./...\n' })
    expect(await maskedExitOf('make test', folder)).toBeUndefined()
  })

  it('takes the first target where none is named, another file and another folder', async () => {
    await given({ 'sub/build.mk': 'all:\n\t-go test ./...\n' })
    expect(await maskedExitOf('make -C sub -f build.mk', folder)).toMatchObject({
      where: 'sub/build.mk target all',
    })
  })

  it('reads a recipe as the shell gets it', async () => {
    await given({ Makefile: 'test:\n\tgo test ./... > log; code=$$?; cat log; exit $$code\n' })
    expect(await maskedExitOf('make test', folder)).toBeUndefined()
  })

  it('is content with a plain one, its tidying up and its shell flags', async () => {
    await given({
      Makefile:
        'SHELL = /bin/bash\n.SHELLFLAGS = -eo pipefail -c\nX ?= $$HOME\ntest: clean\n\tgo test ./... | tee log\nclean:\n\t-rm -rf log $(OUT)\n',
    })
    expect(await maskedExitOf('make test', folder)).toBeUndefined()
  })
})

describe('given a shell script', () => {
  it.each(['./check.sh', 'bash check.sh', 'sh ./check.sh', '. ./check.sh', 'timeout 60 ./check.sh'])(
    'looks into the one that "%s" runs',
    async (line) => {
      await given({ 'check.sh': '#!/bin/bash\npytest -q || true\n' })
      await chmod(join(folder, 'check.sh'), 0o755)
      expect(await maskedExitOf(line, folder)).toMatchObject({ where: 'check.sh' })
    },
  )

  it('knows the options of its first line, where that counts', async () => {
    await given({ 'check.sh': '#!/bin/bash -e\npytest -q\necho done\n' })
    expect(await maskedExitOf('./check.sh', folder)).toBeUndefined()
    expect(await maskedExitOf('bash check.sh', folder)).toMatchObject({ where: 'check.sh' })
    expect(await maskedExitOf('bash -e check.sh', folder)).toBeUndefined()
  })

  it('leaves programs in other languages alone', async () => {
    await given({ 'check.py': '#!/usr/bin/env python3\nx = "a || true"\n', tool: '\u0000ELF' })
    expect(await maskedExitOf('./check.py && ./tool', folder)).toBeUndefined()
  })
})

describe('given a script that is changed between two verifications', () => {
  it('sees it the next time', async () => {
    await given({ 'package.json': scripts({ test: 'vitest run' }) })
    expect(await maskedExitOf('npm test', folder)).toBeUndefined()
    await given({ 'package.json': scripts({ test: 'vitest run || true' }) })
    expect(await maskedExitOf('npm test', folder)).toBeDefined()
  })
})
