import { spawnSync } from 'node:child_process'
import { afterEach, describe, expect, it } from 'vitest'
import { makeProject, outputIn, testsIn, verdictOf, type Project } from './fixtures/project.ts'

let project: Project | undefined

afterEach(async () => {
  await project?.remove()
  project = undefined
})

async function given(files: Readonly<Record<string, string>>): Promise<Project> {
  project = await makeProject({ 'package.json': '{"type":"commonjs"}', ...files })
  return project
}

/** A file of node:test with tests of these names. */
const nodeTests = (...names: readonly string[]) =>
  [`const { it } = require('node:test')`, ...names.map((name) => `it('${name}', () => {})`)].join('\n')

describe('given a line that runs node:test several times', () => {
  const scripts = {
    test: 'npm run unit && npm run end',
    unit: 'node --test unit.test.js',
    end: 'node --test end.test.js',
  }
  const manifest = JSON.stringify({ type: 'commonjs', scripts })

  it('counts the tests of all, and keeps what they print', async () => {
    const { check } = await given({
      'package.json': manifest,
      'unit.test.js': nodeTests('one', 'two'),
      'end.test.js': nodeTests('three', 'four'),
    })
    const report = await check('npm test')
    expect(report).toMatchObject({ status: 'passed', reason: 'tests passed (exit 0; 4 passed)' })
    expect(testsIn(report)).toMatchObject({ format: 'junit', counts: { total: 4 } })
    expect(outputIn(report)).toContain('✔ four')
    expect(outputIn(report)).not.toMatch(/[0-9a-f]{12}\w{6}/)
  })

  it('sees that a test of the first is gone', async () => {
    const files = { 'package.json': manifest, 'end.test.js': nodeTests('three') }
    const { check, write } = await given({ ...files, 'unit.test.js': nodeTests('one', 'two') })
    const baseline = verdictOf(await check('npm test', {}, { trigger: 'baseline' }))
    await write({ 'unit.test.js': nodeTests('one') })
    const report = await check('npm test', {}, { baseline })
    expect(report).toMatchObject({ status: 'failed' })
    expect(report.reason).toContain('1 test of the baseline tree not executed any more')
  })
})

describe('given a line that runs several runners, whose words alone can be read', () => {
  const vitest = (count: number) =>
    `#!/bin/sh\nprintf ' Test Files  1 passed (1)\\n      Tests  ${count} passed (${count})\\n'`
  const jest = String.raw`#!/bin/sh
printf 'Test Suites: 1 passed, 1 total\nTests:       3 passed, 3 total\nSnapshots:   0 total\n'`
  const line = 'sh ./vitest.sh && sh ./jest.sh'
  it('adds what they print, whether we know them by their names or not', async () => {
    const files = { 'bin/vitest': vitest(2), 'bin/jest': jest, 'vitest.sh': vitest(2), 'jest.sh': jest }
    const { check, folder } = await given(files)
    spawnSync('chmod', ['+x', 'bin/vitest', 'bin/jest'], { cwd: folder })
    for (const checked of [line, './bin/vitest run && ./bin/jest'])
      expect(await check(checked)).toMatchObject({ reason: 'tests passed (exit 0; 5 passed)' })
  })
})

const hasPython = spawnSync('python3', ['--version']).status === 0

describe.skipIf(!hasPython)('given a project with unittest (skipped where Python is not installed)', () => {
  const line = 'python3 -B -m unittest'
  const text = (...tests: readonly string[]) =>
    [
      'import unittest',
      'class TestSum(unittest.TestCase):',
      '    x = 1',
      ...tests.map((test) => `    ${test}`),
    ].join('\n')
  const good = 'def test_a(self): pass'
  const bad = 'def test_b(self): self.fail()'
  const broken = 'def test_c(self): raise ValueError'
  const skipped = '@unittest.skip("x")\n    def test_d(self): pass'
  const expected = '@unittest.expectedFailure\n    def test_e(self): self.fail()'
  const unexpected = '@unittest.expectedFailure\n    def test_f(self): pass'

  it.each([
    ['passed', { passed: 1, failed: 0, errored: 0, skipped: 2, total: 3 }, [good, skipped, expected]],
    [
      'failed',
      { passed: 1, failed: 2, errored: 1, skipped: 1, total: 5 },
      [good, bad, broken, skipped, unexpected],
    ],
    ['failed', { passed: 0, failed: 0, errored: 0, skipped: 1, total: 1 }, [skipped]],
    ['failed', { passed: 0, failed: 0, errored: 0, skipped: 0, total: 0 }, []],
  ])('reads its words: %s, %j', async (status, counts, tests) => {
    const { check } = await given({ 'test_sum.py': text(...tests) })
    const report = await check(line)
    expect(report.status).toBe(status)
    expect(testsIn(report).counts).toEqual(counts)
  })
})
