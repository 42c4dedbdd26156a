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
  name: results.join('-'),
  status: results.includes('failed') ? 'failed' : 'passed',
  assertionResults: results.map((status) => ({ status })),
})
const report = (...testResults: readonly object[]) => JSON.stringify({ testResults })

const green = report(file('passed', 'passed'))
const red = file('passed', 'passed', 'failed', 'pending', 'todo')
const mixed = report(red)
const withBrokenFile = report(file('passed'), { name: 'broken', status: 'failed', assertionResults: [] })

interface FakeRun {
  /** What the tests leave behind; absent: they ended before they could. */
  readonly report?: string
  /** What the failed files leave behind when they are asked once more. */
  readonly again?: string
  readonly testExit: number
  readonly installExit?: number
  /** As of a compiler that ran out of memory. */
  readonly typesExit?: number
}

/** A copy of the script in a house of its own, where npm is a script that writes down what it was told. */
function runIn({ report, again, testExit, installExit = 0, typesExit = 0 }: FakeRun) {
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
    `[ "$2" = check:types ] && exit ${typesExit}`,
    'case "$2" in test*) ;; *) exit 0 ;; esac',
    '[ -e report.json ] && cp report.json "$DONECHECK_TEST_REPORT"',
    `exit ${testExit}`,
  ]
  writeFileSync(npm, `${lines.join('\n')}\n`)
  chmodSync(npm, 0o755)
  if (again !== undefined) writeFileSync(path.join(folder, 'again.json'), again)
  mkdirSync(path.join(folder, 'node_modules/.bin'), { recursive: true })
  const vitest = path.join(folder, 'node_modules/.bin/vitest')
  const asked =
    '#!/bin/sh\necho "vitest $*"\ncp again.json "$DONECHECK_TEST_REPORT" && ! grep -q \'"failed"\' again.json\n'
  writeFileSync(vitest, asked)
  chmodSync(vitest, 0o755)
  // Nothing is missing here, so nothing is installed.
  for (const name of ['rg', 'bwrap', 'chromium']) {
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
  it('installs, checks and tests in the root of the repository with a home of its own, and counts', () => {
    const { status, lines, folder } = runIn({ report: green, testExit: 0 })
    expect(lines.toSorted()).toEqual(
      [
        ...['install', 'run check:types', 'run check:package'],
        ...['run test --ignore-scripts -- --project=!pure', 'run test:all --ignore-scripts'],
      ]
        .map((words) => `npm ${words} in ${folder}, home there`)
        .concat('4 passed, 0 failed, 0 skipped')
        .toSorted(),
    )
    expect(lines.at(-1)).toBe('4 passed, 0 failed, 0 skipped')
    expect(status).toBe(0)
  })
})

describe('given tests that fail', () => {
  it('counts them last and keeps the exit code of the tests', () => {
    const { status, lines } = runIn({ report: mixed, testExit: 3 })
    expect(lines.at(-1)).toBe('4 passed, 2 failed, 4 skipped')
    expect(status).toBe(3)
  })

  it('counts a file that could not be loaded', () => {
    expect(runIn({ report: withBrokenFile, testExit: 1 }).lines.at(-1)).toBe('2 passed, 2 failed, 0 skipped')
  })

  it('fails with them, even where npm says that all is well', () => {
    expect(runIn({ report: mixed, testExit: 0 }).status).toBe(1)
  })
})

describe('given steps that fail', () => {
  it('says which before the last line, each with its exit code, and ends with the first', () => {
    const { status, lines } = runIn({ report: green, testExit: 3, typesExit: 134 })
    expect(lines.slice(-4)).toEqual([
      'failed with exit code 134: npm run check:types',
      'failed with exit code 3: npm run test',
      'failed with exit code 3: npm run test:all',
      '4 passed, 0 failed, 0 skipped',
    ])
    expect(status).toBe(134)
  })
})

describe('given a file that fails on a busy machine', () => {
  it('is asked once more, alone; what passes then counts', () => {
    const again = report({ ...file('passed', 'passed', 'passed', 'pending', 'todo'), name: red.name })
    const { status, lines } = runIn({ report: mixed, again, testExit: 1 })
    expect(lines).toContain(`vitest run --maxWorkers=1 ${red.name}`)
    expect(lines.at(-1)).toBe('6 passed, 0 failed, 4 skipped')
    expect(status).toBe(0)
  })

  it('has failed where it fails again', () => {
    const { status, lines } = runIn({ report: mixed, again: mixed, testExit: 1 })
    expect(lines.at(-1)).toBe('4 passed, 2 failed, 4 skipped')
    expect(status).not.toBe(0)
  })
})

describe('given nothing to count', () => {
  it.each([
    ['the tests left nothing', { testExit: 0 }],
    ['the report is cut off', { report: green.slice(0, 40), testExit: 0 }],
    ['no test ran', { report: report(), testExit: 0 }],
  ])('fails where %s', (_, fake) => {
    expect(runIn(fake).status).toBe(1)
  })

  it('says so and keeps the exit code of the tests', () => {
    const { status, lines, stderr } = runIn({ testExit: 2 })
    expect(status).toBe(2)
    expect(lines.slice(-3)).toEqual([
      'failed with exit code 2: npm run test',
      'failed with exit code 2: npm run test:all',
      'failed with exit code 1: counts of the tests',
    ])
    expect(stderr).toMatch(/the tests did not report/)
  })

  it('stops at an installation that fails', () => {
    const { status, lines } = runIn({ report: green, testExit: 0, installExit: 7 })
    expect(status).toBe(7)
    expect(lines).toHaveLength(1)
  })
})
