/** `.ci/run` and its summary, with an npm that only writes a report. */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { repositoryRoot } from '../architecture/read-tree.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

const file = (...results: readonly string[]) => ({
  status: results.includes('failed') ? 'failed' : 'passed',
  assertionResults: results.map((status) => ({ status })),
})
const report = (counts: object, ...testResults: readonly object[]) =>
  JSON.stringify({
    numPassedTests: 0,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    ...counts,
    testResults,
  })

const green = report({ numPassedTests: 2 }, file('passed', 'passed'))
const mixed = report(
  { numPassedTests: 2, numFailedTests: 1, numPendingTests: 1, numTodoTests: 1 },
  file('passed', 'passed', 'failed', 'pending', 'todo'),
)
const withBrokenFile = report({ numPassedTests: 1 }, file('passed'), {
  status: 'failed',
  assertionResults: [],
})

interface FakeRun {
  /** What the tests leave behind; absent: verify ended before them. */
  readonly report?: string
  readonly verifyExit: number
  readonly installExit?: number
}

/** A copy of the script in a house of its own, where npm is a script that writes down what it was told. */
function runIn({ report, verifyExit, installExit = 0 }: FakeRun) {
  const folder = mkdtempSync(path.join(tmpdir(), 'donecheck-ci-'))
  folders.push(folder)
  cpSync(path.join(repositoryRoot, '.ci'), path.join(folder, '.ci'), { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  if (report !== undefined) writeFileSync(path.join(folder, 'report.json'), report)
  mkdirSync(path.join(folder, 'bin'))
  const npm = path.join(folder, 'bin/npm')
  const lines = [
    '#!/bin/sh',
    'echo "npm $* in $(basename "$PWD"), home $(test -w "$HOME" && echo there)"',
    `[ "$1" = install ] && exit ${installExit}`,
    '[ -e report.json ] && cp report.json "$DONECHECK_TEST_REPORT"',
    `exit ${verifyExit}`,
  ]
  writeFileSync(npm, `${lines.join('\n')}\n`)
  chmodSync(npm, 0o755)
  // Nothing is missing here, so nothing is installed.
  for (const name of ['rg', 'bwrap']) {
    writeFileSync(path.join(folder, 'bin', name), '#!/bin/sh\n')
    chmodSync(path.join(folder, 'bin', name), 0o755)
  }
  const PATH = [path.join(folder, 'bin'), path.dirname(process.execPath), process.env['PATH']].join(
    path.delimiter,
  )
  const options = { cwd: tmpdir(), env: { PATH, HOME: '', CI: 'true' }, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(path.join(folder, '.ci/run'), options)
  return { status, lines: stdout.trimEnd().split('\n'), stderr, folder: path.basename(folder) }
}

describe('given tests that all pass', () => {
  it('installs, verifies in the root of the repository with a home of its own, and counts', () => {
    const { status, lines, folder } = runIn({ report: green, verifyExit: 0 })
    expect(lines).toEqual([
      `npm install in ${folder}, home there`,
      `npm run verify in ${folder}, home there`,
      '2 passed, 0 failed, 0 skipped',
    ])
    expect(status).toBe(0)
  })
})

describe('given tests that fail', () => {
  it('counts them last and keeps the exit code of verify', () => {
    const { status, lines } = runIn({ report: mixed, verifyExit: 3 })
    expect(lines.at(-1)).toBe('2 passed, 1 failed, 2 skipped')
    expect(status).toBe(3)
  })

  it('counts a file that could not be loaded', () => {
    expect(runIn({ report: withBrokenFile, verifyExit: 1 }).lines.at(-1)).toBe(
      '1 passed, 1 failed, 0 skipped',
    )
  })

  it('fails with them, even where verify says that all is well', () => {
    expect(runIn({ report: mixed, verifyExit: 0 }).status).toBe(1)
  })
})

describe('given nothing to count', () => {
  it.each([
    ['verify ended before the tests', { verifyExit: 0 }],
    ['the report is cut off', { report: green.slice(0, 40), verifyExit: 0 }],
    ['no test ran', { report: report({}), verifyExit: 0 }],
  ])('fails where %s', (_, fake) => {
    expect(runIn(fake).status).toBe(1)
  })

  it('says so and keeps the exit code of verify', () => {
    const { status, lines, stderr } = runIn({ verifyExit: 2 })
    expect(status).toBe(2)
    expect(lines.at(-1)).not.toMatch(/passed/)
    expect(stderr).toMatch(/the tests did not report/)
  })

  it('stops at an installation that fails', () => {
    const { status, lines } = runIn({ report: green, verifyExit: 0, installExit: 7 })
    expect(status).toBe(7)
    expect(lines).toHaveLength(1)
  })
})
