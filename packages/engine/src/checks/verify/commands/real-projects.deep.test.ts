import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestCounts } from '@donecheck/core/verdicts'
import type { Verifier, VerifierReport } from '../../../ports/checks.ts'
import { buildPass, lintPass, testsPass, typecheckPass } from './presets.ts'

const installed = join(dirname(fileURLToPath(import.meta.resolve('fast-check/package.json'))), '..')
const hasGo = answers('go', 'version')
const hasPytest = answers('python3', '-m', 'pytest', '--version')

function answers(program: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

type Files = Readonly<Record<string, string>>

let root = ''

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'donecheck-real-')))
})

afterAll(async () => {
  await rm(root, { recursive: true, force: true })
})

async function project(files: Files): Promise<string> {
  const folder = await mkdtemp(join(root, 'project-'))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  if ('package.json' in files) await symlink(installed, join(folder, 'node_modules'))
  return folder
}

function ask(verifier: Verifier, workFolder: string): Promise<VerifierReport> {
  const context = {
    runId: 'run-1',
    task: '',
    finalText: '',
    trigger: 'claim',
    turn: 1,
    fingerprint: undefined,
    baseline: undefined,
  } as const
  return verifier.verify({ ...context, workFolder }, new AbortController().signal)
}

function countsOf({ evidence }: VerifierReport): Partial<TestCounts> | undefined {
  for (const one of evidence)
    if (one.kind === 'tests')
      return { passed: one.counts.passed, failed: one.counts.failed, skipped: one.counts.skipped }
  return undefined
}

function commandOf({ evidence }: VerifierReport): string | undefined {
  return evidence.flatMap((one) => (one.kind === 'command' ? [one.command] : []))[0]
}

const sum = 'export const sum = (a, b) => a + b\n'
const brokenSum = 'export const sum = (a, b) => a - b\n'

/** Three tests, of which one is skipped. */
const cases = (expectEqual: (left: string, right: string) => string) => `
describe('sum', () => {
  it('adds', () => { ${expectEqual('sum(1, 2)', '3')} })
  it('adds nothing', () => { ${expectEqual('sum(1, 0)', '1')} })
  it.skip('adds later', () => {})
})
`
const byExpect = cases((left, right) => `expect(${left}).toBe(${right})`)
const byAssert = cases((left, right) => `assert.equal(${left}, ${right})`)

const manifest = (script: string) => JSON.stringify({ type: 'module', scripts: { test: script } })

interface Runner {
  readonly name: string
  readonly files: Files
  readonly command: string
}

const runners: readonly Runner[] = [
  {
    name: 'node:test',
    command: 'npm test',
    files: {
      'package.json': manifest('node --test'),
      'sum.test.js': `import { describe, it } from 'node:test'\nimport assert from 'node:assert'\nimport { sum } from './sum.js'\n${byAssert}`,
    },
  },
  {
    name: 'vitest',
    command: 'npx --no-install vitest run',
    files: {
      'package.json': JSON.stringify({ type: 'module', devDependencies: { vitest: '*' } }),
      'sum.test.js': `import { describe, expect, it } from 'vitest'\nimport { sum } from './sum.js'\n${byExpect}`,
    },
  },
  {
    name: 'jest',
    command: 'npm test',
    files: {
      'package.json': manifest('NODE_OPTIONS=--experimental-vm-modules jest'),
      'jest.config.json': '{ "transform": {}, "watchman": false }',
      'sum.test.js': `import { sum } from './sum.js'\n${byExpect}`,
    },
  },
  {
    name: 'mocha',
    command: 'npm test',
    files: {
      'package.json': manifest('mocha sum.test.js'),
      'sum.test.js': `import assert from 'node:assert'\nimport { sum } from './sum.js'\n${byAssert}`,
    },
  },
]

describe.each(runners)('given a real project with $name', ({ files, command }) => {
  it('passes with its counts where the work is right', async () => {
    const report = await ask(testsPass(), await project({ ...files, 'sum.js': sum }))
    expect(report).toMatchObject({ status: 'passed' })
    expect(commandOf(report)).toBe(command)
    expect(countsOf(report)).toEqual({ passed: 2, failed: 0, skipped: 1 })
  })

  it('fails with its counts where the work is broken', async () => {
    const report = await ask(testsPass(), await project({ ...files, 'sum.js': brokenSum }))
    expect(report).toMatchObject({ status: 'failed', qualifiers: [] })
    expect(countsOf(report)).toEqual({ passed: 1, failed: 1, skipped: 1 })
  })
})

/** Plugins of the machine are none of the project's. */
const bare = { environment: { PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1' } }

const python: Files = {
  'pytest.ini': '[pytest]\naddopts = -p no:cacheprovider\n',
  'test_sum.py': `import pytest
from add import add

def test_adds():
    assert add(1, 2) == 3

def test_adds_nothing():
    assert add(1, 0) == 1

@pytest.mark.skip(reason="later")
def test_adds_later():
    pass
`,
}

describe.skipIf(!hasPytest)(
  `given a real project with pytest${hasPytest ? '' : ' (skipped: pytest is not installed)'}`,
  () => {
    it('passes with its counts where the work is right', async () => {
      const report = await ask(
        testsPass(bare),
        await project({ ...python, 'add.py': 'def add(a, b):\n    return a + b\n' }),
      )
      expect(report).toMatchObject({ status: 'passed' })
      expect(commandOf(report)).toBe('python3 -m pytest')
      expect(countsOf(report)).toEqual({ passed: 2, failed: 0, skipped: 1 })
    })

    it('fails with its counts where the work is broken', async () => {
      const report = await ask(
        testsPass(bare),
        await project({ ...python, 'add.py': 'def add(a, b):\n    return a - b\n' }),
      )
      expect(report).toMatchObject({ status: 'failed', qualifiers: [] })
      expect(countsOf(report)).toEqual({ passed: 1, failed: 1, skipped: 1 })
    })
  },
)

const go: Files = {
  'go.mod': 'module sum\n\ngo 1.18\n',
  'sum_test.go': `package sum

import "testing"

func TestAdds(t *testing.T) {
	if Sum(1, 2) != 3 {
		t.Fatal("1 + 2")
	}
}

func TestAddsNothing(t *testing.T) {
	if Sum(1, 0) != 1 {
		t.Fatal("1 + 0")
	}
}

func TestAddsLater(t *testing.T) { t.Skip("later") }
`,
}
const goSum = (operator: string) => `package sum\n\nfunc Sum(a, b int) int { return a ${operator} b }\n`

describe.skipIf(!hasGo)(`given a real project in Go${hasGo ? '' : ' (skipped: go is not installed)'}`, () => {
  it('passes with its counts where the work is right, and is vetted and built', async () => {
    const folder = await project({ ...go, 'sum.go': goSum('+') })
    const report = await ask(testsPass(), folder)
    expect(report).toMatchObject({ status: 'passed' })
    expect(countsOf(report)).toEqual({ passed: 2, failed: 0, skipped: 1 })
    for (const preset of [lintPass(), typecheckPass(), buildPass()])
      expect(await ask(preset, folder)).toMatchObject({ status: 'passed' })
  })

  it('fails with its counts where the work is broken', async () => {
    const report = await ask(testsPass(), await project({ ...go, 'sum.go': goSum('-') }))
    expect(report).toMatchObject({ status: 'failed', qualifiers: [] })
    expect(countsOf(report)).toEqual({ passed: 1, failed: 1, skipped: 1 })
  })

  it('fails to be vetted and built where it does not compile', async () => {
    const folder = await project({ ...go, 'sum.go': goSum('~') })
    for (const preset of [typecheckPass(), buildPass()])
      expect(await ask(preset, folder)).toMatchObject({ status: 'failed', qualifiers: [] })
  })
})

describe('given a real project with eslint and TypeScript', () => {
  const files: Files = {
    'package.json': JSON.stringify({
      type: 'module',
      scripts: { build: 'node build.js' },
      devDependencies: { eslint: '*' },
    }),
    'eslint.config.js': "export default [{ files: ['*.js'], rules: { 'no-debugger': 'error' } }]\n",
    'tsconfig.json': JSON.stringify({
      compilerOptions: { strict: true, types: [], lib: ['es5'] },
      files: ['sum.ts'],
    }),
  }

  it('passes where there is nothing to say', async () => {
    const folder = await project({
      ...files,
      'sum.ts': 'export const one: number = 1\n',
      'build.js': "import './sum.ts'\n",
    })
    for (const preset of [lintPass(), typecheckPass(), buildPass()])
      expect(await ask(preset, folder)).toMatchObject({ status: 'passed' })
  })

  it('fails where there is', async () => {
    const folder = await project({
      ...files,
      'sum.ts': "export const one: number = 'one'\n",
      'bad.js': 'debugger\n',
      'build.js': "import './missing.ts'\n",
    })
    for (const preset of [lintPass(), typecheckPass(), buildPass()])
      expect(await ask(preset, folder)).toMatchObject({ status: 'failed', qualifiers: [] })
  })
})
