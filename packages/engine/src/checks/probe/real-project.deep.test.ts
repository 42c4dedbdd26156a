/** Small real projects with a real runner, and checks of different strength. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { VerifierReport } from '../../ports/checks.ts'
import { manualClock } from '../../testing/index.ts'
import { command } from '../verify/index.ts'
import { probeTrees, tamperGuard } from '../workspace/index.ts'
import { context } from './fixtures/memory-trees.ts'
import { powerProbe } from './power-probe.ts'

const folders: string[] = []
const never = new AbortController().signal

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'donecheck-probe-')))
  folders.push(folder)
  return folder
}

type Files = Readonly<Record<string, string>>

function put(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** What the probe says of a change that was made during a run. */
async function probed(before: Files, after: Files, line: string, maxMutants = 2): Promise<VerifierReport> {
  const [workFolder, snapshotFolder] = [newFolder(), newFolder()]
  put(workFolder, before)
  const guard = tamperGuard({ workFolder, snapshotFolder, clock: manualClock(0) })
  const untouched = await guard.prepare(
    { runId: context.runId, trigger: 'baseline', turn: 0, canRetry: true },
    never,
  )
  expect(untouched.report).toMatchObject({ status: 'passed' })
  put(workFolder, after)
  const verifier = powerProbe({
    checks: [command(line)],
    trees: probeTrees({ workFolder, snapshotFolder }),
    minPower: 0.8,
    maxMutants,
  })
  const report = await verifier.verify({ ...context, workFolder }, never)
  for (const [path, text] of Object.entries(after))
    expect(readFileSync(join(workFolder, path), 'utf8')).toBe(text)
  return report
}

const manifest = { 'package.json': '{ "type": "module" }\n' }
const empty = { 'clamp.js': 'export const clamp = (value) => value\n' }
const clamp = {
  'clamp.js': `export function clamp(value, low, high) {
  if (value < low) return low
  if (value > high) return high
  return value
}
`,
}
const testOf = (body: string): Files => ({
  'test/clamp.test.js': `import { test } from 'node:test'
import assert from 'node:assert/strict'
import { clamp } from '../clamp.js'

test('clamps', () => {
${body}
})
`,
})
const strong = testOf(`  assert.equal(clamp(0, 1, 3), 1)
  assert.equal(clamp(5, 1, 3), 3)
  assert.equal(clamp(2, 1, 3), 2)`)

describe('given a project with node --test', { timeout: 60_000 }, () => {
  it('a test of every branch catches the faults', async () => {
    const said = await probed({ ...manifest, ...empty, ...strong }, clamp, 'node --test')
    expect(said.reason).toContain('caught')
    expect(said).toMatchObject({ status: 'passed' })
  })

  it('a file that was not there before goes with the change, and its tests cannot do without it', async () => {
    const said = await probed({ ...manifest, ...strong }, clamp, 'node --test', 0)
    expect(said.evidence).toContainEqual({
      kind: 'note',
      text: 'caught by node --test: the whole change is taken back (1 file)',
    })
  })

  it('a test that asserts nothing of it catches none', async () => {
    const weak = testOf('  assert.ok(clamp)')
    const said = await probed({ ...manifest, ...empty, ...weak }, clamp, 'node --test', 1)
    expect(said).toMatchObject({ status: 'failed', score: 0 })
    expect(said.reason).toContain('add a test that fails when the whole change is taken back')
  })

  it('a test of one branch does not catch the faults of the other', async () => {
    const half = testOf('  assert.equal(clamp(5, 1, 3), 3)')
    const said = await probed({ ...manifest, ...empty, ...half }, clamp, 'node --test')
    expect(said).toMatchObject({ status: 'failed' })
    expect(said.score).toBeGreaterThan(0)
  })
})

describe('given a project in Python', { timeout: 60_000 }, () => {
  const hasPython = runs('python3', '--version')
  const code = { 'inner.py': 'def inner(low, value, high):\n    return low < value and value < high\n' }
  const before = { 'inner.py': 'def inner(low, value, high):\n    return True\n' }
  const check = (asserts: string) => ({
    'check_inner.py': `from inner import inner\n${asserts}\n`,
  })

  it.skipIf(!hasPython)('faults are caught by a strong check (needs python3)', async () => {
    const all = check(
      'assert inner(1, 2, 3) is True\nassert not inner(2, 2, 3)\nassert not inner(1, 3, 3)\nassert not inner(1, 9, 3)',
    )
    const said = await probed({ ...before, ...all }, code, 'python3 check_inner.py')
    expect(said).toMatchObject({ status: 'passed', score: 1 })
  })
})

function runs(program: string, ...words: readonly string[]): boolean {
  try {
    execFileSync(program, words, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
