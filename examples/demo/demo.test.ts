import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UsageError, type Verifier } from 'donecheck'
import type { VerifierContext, VerifierResult } from '@donecheck/engine/verify'
import { capture } from '../capture.ts'
import { repairOwnProject } from './own-project.ts'
import { brokenOffMeansFailed, repair } from './repair.ts'
import { ownProjectOf } from './words.ts'

const demo = fileURLToPath(new URL('demo.ts', import.meta.url))
const systemTemporary = tmpdir()
/** Several processes start one after another. */
const patientMs = 120_000

let root: string
let project: string

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(systemTemporary, 'donecheck-demo-test-')))
  project = path.join(root, 'project')
  await mkdir(path.join(root, 'temporary'))
  process.env['TMPDIR'] = path.join(root, 'temporary')
})

afterEach(async () => {
  process.env['TMPDIR'] = systemTemporary
  await rm(root, { recursive: true })
})

/** A project made here, so that nothing in the demo can know it. */
async function given(source: string, test: string): Promise<void> {
  await mkdir(path.join(project, 'lib'), { recursive: true })
  await writeFile(path.join(project, 'package.json'), '{ "type": "module" }')
  await writeFile(path.join(project, 'lib/it.js'), source)
  const head =
    "import assert from 'node:assert'\nimport { test } from 'node:test'\nimport { it } from './lib/it.js'\n"
  await writeFile(path.join(project, 'it.test.js'), `${head}test('it works', () => {\n${test}\n})\n`)
}

function source(): Promise<string> {
  return readFile(path.join(project, 'lib/it.js'), 'utf8')
}

interface Ended {
  readonly exitCode: number | string | null | undefined
  readonly output: string
}

/** In a process of its own. */
function run(...words: readonly string[]): Promise<Ended> {
  const env = {
    ...{ ...process.env, NO_COLOR: '1' },
    NODE_COMPILE_CACHE: path.join(systemTemporary, 'node-compile-cache'),
  }
  return new Promise((resolve) => {
    execFile(process.execPath, [demo, ...words], { env }, (error, stdout, stderr) => {
      resolve({ exitCode: error === null ? 0 : error.code, output: stdout + stderr })
    })
  })
}

/** As the demo does with these words, in this process: to load the library takes longer than most searches do. */
async function search(...words: readonly string[]): Promise<Ended> {
  const own = ownProjectOf([project, ...words])
  if (own === undefined) throw new TypeError('the words name a project')
  const signal = new AbortController().signal
  const { value, stdout } = await capture(() => repairOwnProject(own, signal))
  return { exitCode: value, output: stripVTControlCharacters(stdout) }
}

async function expectNothingLeftBehind(): Promise<void> {
  expect(await readdir(path.join(root, 'temporary'))).toEqual([])
}

describe('given nothing but the demo', () => {
  it(
    'shows a refused claim, a verified repair and an honest end',
    async () => {
      const { exitCode, output } = await run()
      expect(output).toContain(
        '→ exhausted after 3 turns: hard_cap: turn limit reached (3 of 3); node --test still fails (exit 1)',
      )
      expect(output).toMatch(/→ verified after \d+ turns: node --test passed \(exit 0; 4 passed\)/)
      expect(output).toContain('The source is as it was, byte for byte.')
      expect(output).not.toContain('NO ')
      expect(output).not.toContain('\u001B')
      expect(exitCode).toBe(0)
      expect(await readdir(path.join(root, 'temporary'))).toEqual([])
    },
    patientMs,
  )
})

describe('given a project that the demo has never seen', () => {
  const clamp = 'export const it = (a, low, high) => Math.max(low, Math.min(a, high))\n'
  const clampTest = 'assert.equal(it(5, 1, 3), 3)\nassert.equal(it(0, 1, 3), 1)\nassert.equal(it(2, 1, 3), 2)'
  const vowel = "export const it = (a) => a === 'a' || a === 'e'\n"
  const vowelTest = "assert.ok(it('a'))\nassert.ok(it('e'))\nassert.ok(!it('b'))"

  it.each([
    ['a smallest for a largest', clamp.replace('Math.min', 'Math.max'), clamp, clampTest],
    ['an `and` for an `or`', vowel.replace('||', '&&'), vowel, vowelTest],
  ])(
    'finds %s in a copy, and applies it only where it is told to',
    async (_, broken, sound, test) => {
      await given(broken, test)
      const shown = await search('--until', 'node --test')
      expect(shown.output).toContain('This edit makes the check pass')
      expect(shown.exitCode).toBe(0)
      expect(await source()).toBe(broken)
      const applied = await search('--until', 'node --test', '--in-place')
      expect(applied.output).toContain('Applied to your folder, and checked there again')
      expect(applied.exitCode).toBe(0)
      expect(await source()).toBe(sound)
      await expectNothingLeftBehind()
    },
    patientMs,
  )

  it(
    'takes an edit back that passes in the copy and not in the project',
    async () => {
      const broken = vowel.replace('||', '&&')
      await given(broken, vowelTest)
      const until = `node --test && [ "$(pwd -P)" != '${project}' ]`
      const { exitCode, output } = await search('--until', until, '--in-place')
      expect(output).toContain('it was taken back')
      expect(exitCode).toBe(1)
      expect(await source()).toBe(broken)
    },
    patientMs,
  )

  it(
    'ends without a success where no edit helps, and leaves every byte as it was',
    async () => {
      const fatal = 'export const it = (a) => a < 3\r\n'
      await given(fatal, "assert.equal(it(1), 'one')")
      const { exitCode, output } = await search('--until', 'node --test', '--in-place')
      expect(output).toMatch(/→ exhausted after \d+ turns: hard_cap: turn limit reached/)
      expect(output).toContain('Your folder is as it was.')
      expect(exitCode).toBe(3)
      expect(await source()).toBe(fatal)
      await expectNothingLeftBehind()
    },
    patientMs,
  )

  it(
    'repairs nothing where the check is green already',
    async () => {
      await given(vowel, vowelTest)
      const { exitCode, output } = await search('--until', 'node --test', '--in-place')
      expect(output).toContain('The check already passes')
      expect(exitCode).toBe(4)
      expect(await source()).toBe(vowel)
    },
    patientMs,
  )
})

describe('given a search that is interrupted in the middle of a try', () => {
  it(
    'puts the source back',
    async () => {
      const broken = 'export const it = (a) => a < 3\n'
      await given(broken, 'assert.ok(it(3) === it(4))')
      const interrupt = new AbortController()
      let seen = ''
      const { result, edit } = await repair({
        folder: project,
        until: 'false',
        timeoutMs: patientMs,
        signal: interrupt.signal,
        onEvent: (event) => {
          if (event.type !== 'model-replied' || !event.text.startsWith('Try 2')) return
          seen = readFileSync(path.join(project, 'lib/it.js'), 'utf8')
          interrupt.abort('the test')
        },
      })
      expect(result.transition.outcome).toBe('interrupted')
      expect(edit).toBeUndefined()
      expect(seen).not.toBe(broken)
      expect(await source()).toBe(broken)
    },
    patientMs,
  )
})

describe('given words that it does not understand', () => {
  it.each([
    [['nowhere', '--until', 'true'], 'is not a folder'],
    [['.'], '--until'],
    [['.', '..', '--until', 'true'], 'one folder'],
    [['.', '--until', 'true', '--timeout', 'soon'], 'whole number'],
    [['.', '--quickly'], '--quickly'],
  ])('refuses %j and says why', (words, why) => {
    expect(() => ownProjectOf(words)).toThrow(UsageError)
    expect(() => ownProjectOf(words)).toThrow(why)
  })

  it('ends with the exit code of wrong usage, and nothing but the reason', async () => {
    expect(await run('nowhere', '--until', 'true')).toEqual({
      exitCode: 2,
      output: 'nowhere is not a folder; name the one that holds the project\n',
    })
  })
})

describe('given a check that an edit can break off', () => {
  const context: VerifierContext = {
    runId: 'run-1',
    workFolder: '/',
    task: '',
    finalText: '',
    trigger: 'turn',
    turn: 1,
    fingerprint: undefined,
    baseline: undefined,
  }
  const evidence = {
    kind: 'command',
    command: 'node --test',
    folder: '/',
    exitCode: null,
    signal: 'SIGTERM',
    timedOut: true,
    output: { head: '', tail: '', totalBytes: 0, omittedBytes: 0, digest: '' },
    environmentDigest: '',
  } as const
  const undecided: VerifierResult = {
    status: 'error',
    reason: 'it did not finish',
    canRetry: true,
    qualifiers: [],
    evidence: [evidence],
  }

  function statusOf(report: VerifierResult, signal = new AbortController().signal) {
    const description = {
      name: 'check',
      required: true,
      weight: 1,
      deterministic: true,
      reads: 'workspace',
      role: 'check',
    } as const
    const verifier: Verifier = { description, verify: async () => report }
    return brokenOffMeansFailed(verifier)
      .verify(context, signal)
      .then(({ status }) => status)
  }

  it('counts a hang and a crash as one wrong edit more', async () => {
    expect(await statusOf(undecided)).toBe('failed')
    expect(
      await statusOf({ ...undecided, evidence: [{ ...evidence, timedOut: false, signal: 'SIGABRT' }] }),
    ).toBe('failed')
  })

  it('leaves every other answer as it is', async () => {
    expect(await statusOf({ ...undecided, evidence: [] })).toBe('error')
    expect(
      await statusOf({
        ...undecided,
        evidence: [{ ...evidence, timedOut: false, signal: null, exitCode: 127 }],
      }),
    ).toBe('error')
    expect(await statusOf({ ...undecided, status: 'passed' })).toBe('passed')
    expect(await statusOf(undecided, AbortSignal.abort())).toBe('error')
  })
})
