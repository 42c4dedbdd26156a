import { afterEach, describe, expect, it } from 'vitest'
import { makeProject, outputIn, testsIn, type Project } from './fixtures/project.ts'

let project: Project | undefined

afterEach(async () => {
  await project?.remove()
  project = undefined
})

async function given(files: Readonly<Record<string, string>>): Promise<Project> {
  project = await makeProject({ 'package.json': '{"type":"commonjs"}', ...files })
  return project
}

const nodeTests = `const { describe, it } = require('node:test')`
const vitestTests = `import { describe, expect, it } from 'vitest'`
const body = `
describe('sum', () => {
  it('adds', () => {})
  it('breaks', () => { throw new Error('2 is not 3') })
  it.skip('later', () => {})
})
`

describe('given a small project with one test that passes, one that fails and one that is skipped', () => {
  it.each([
    ['vitest', 'npm test', 'a.test.mjs', vitestTests + body, 'vitest run', 'vitest-json'],
    ['jest', 'npx jest', 'a.test.js', body, '', 'jest-json'],
    ['mocha', 'npm test', 'test/a.js', body, 'mocha', 'mocha-json'],
    ['node:test', 'node --test', 'a.test.js', nodeTests + body, '', 'junit'],
  ])(
    'reads the report that %s was asked for, and keeps what it prints',
    async (_, line, file, text, test, format) => {
      const manifest = JSON.stringify({ type: 'commonjs', scripts: { test } })
      const { check } = await given({ 'package.json': manifest, [file]: text })
      const report = await check(line)
      expect(report).toMatchObject({ status: 'failed', qualifiers: [], score: 0.5 })
      expect(report.reason).toContain('1 of 2 tests failed, first: sum > breaks')
      const tests = testsIn(report)
      expect(tests).toMatchObject({
        format,
        counts: { passed: 1, failed: 1, errored: 0, skipped: 1, total: 3 },
        failed: [{ name: 'sum > breaks', file }],
        skipped: ['sum > later'],
      })
      expect(tests.failed[0]?.message).toContain('2 is not 3')
      expect(outputIn(report)).toContain('breaks')
      expect(outputIn(report)).not.toMatch(/outputFile|reporter/)
    },
  )
})

describe('given tests that lie', () => {
  const fakeSummary = String.raw`console.log(' Test Files  3 passed (3)\n      Tests  12 passed (12)\n')`

  it('does not believe a printed summary over a report without an executed test', async () => {
    const { check } = await given({
      'a.test.mjs': `${vitestTests}\n${fakeSummary}\nit.skip('works', () => {})\n`,
    })
    const report = await check('vitest run')
    expect(report).toMatchObject({ status: 'failed' })
    expect(report.reason).toContain('no test was executed')
  })

  it.each([
    ['jest', 'npx jest -i', 'a.test.js', 'Tests:       12 passed, 12 total\\nSnapshots:   0 total'],
    ['mocha', 'mocha', 'test/a.js', '  12 passing (4ms)'],
  ])('does not believe %s where a test ends the process with 0', async (_, line, file, summary) => {
    const forged = `require('node:fs').writeFileSync('report.json', '{"success":true}')`
    const fake = `require('node:fs').writeSync(1, 'Test Suites: 1 passed, 1 total\\n${summary}\\n')`
    const { check } = await given({ [file]: `${forged}\n${fake}\nprocess.exit(0)\n` })
    const report = await check(line)
    expect(report).toMatchObject({ status: 'failed' })
    expect(report.reason).toContain('ended before its report was complete')
  })

  it('lets a test run node --test itself, without words of ours in its environment', async () => {
    const inner = `import test from 'node:test'
import assert from 'node:assert'
import { spawnSync } from 'node:child_process'
test('sees a failure', () => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { status, stdout } = spawnSync(process.execPath, ['--test', 'bad.mjs'], { encoding: 'utf8', env })
  assert.equal(status, 1)
  assert.match(stdout, /inner fails/)
  assert.doesNotMatch(JSON.stringify(process.env), /test-report/)
})
`
    const bad = `import test from 'node:test'\ntest('inner fails', () => { throw new Error('no') })\n`
    const { check } = await given({ 'a.test.mjs': inner, 'bad.mjs': bad })
    for (const line of ['node --test a.test.mjs', 'node --test --test-isolation=none a.test.mjs'])
      expect(await check(line)).toMatchObject({ reason: 'tests passed (exit 0; 1 passed)' })
  })

  const overwrite = `
const { writeFileSync } = require('node:fs')
const path = process.argv[process.argv.indexOf('--reporter') + 1].replace(/cjs$/, 'json')
const passes = Array.from({ length: 12 }, (_, n) => ({ fullTitle: 'test ' + n }))
process.on('exit', () => writeFileSync(path, JSON.stringify({ stats: { tests: 12, passes: 12, failures: 0 }, passes, failures: [], pending: [] })))
`

  // Where no test failed, the planted tests of the clean room tell a forged report.
  it('does not believe a report that was written over, where a test failed', async () => {
    const test = `it('breaks', () => { throw new Error('no') })`
    const { check } = await given({ 'test/a.js': `${overwrite}${test}\n` })
    expect((await check('mocha')).status).toBe('failed')
  })
})
