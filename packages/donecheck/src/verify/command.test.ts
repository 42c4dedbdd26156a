import { createHash } from 'node:crypto'
import { existsSync, watch } from 'node:fs'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UsageError } from '../errors.ts'
import type { CommandEvidence } from '../events/index.ts'
import type { VerifierContext, VerifierReport } from '../ports.ts'
import { verifierContract } from '../testing/contracts/verifier-contract.ts'
import { command, type CommandOptions } from './command.ts'

verifierContract('command', {
  passing: () => command('echo fine'),
  failing: () => command('echo broken >&2; exit 1'),
  undecided: () => command('no-such-program-here'),
  hanging: (onStart, folder) => {
    const watcher = watch(folder, () => {
      watcher.close()
      onStart()
    })
    return command('touch started; sleep 1000')
  },
})

let folder = ''

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'donecheck-command-')))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

function run(line: string, options: CommandOptions = {}, changes: Partial<VerifierContext> = {}) {
  const context: VerifierContext = {
    runId: 'run-1',
    workFolder: folder,
    task: 'make it green',
    finalText: '',
    trigger: 'claim',
    turn: 1,
    fingerprint: undefined,
    baseline: undefined,
    ...changes,
  }
  return command(line, options).verify(context, new AbortController().signal)
}

function evidenceOf(report: VerifierReport): CommandEvidence {
  const [first] = report.evidence
  if (first?.kind !== 'command') throw new Error('there is no evidence of a command')
  return first
}

describe('given a command that runs to its end', () => {
  it('passes with exit code 0', async () => {
    expect(await run('true')).toMatchObject({
      status: 'passed',
      reason: 'true passed (exit 0)',
      qualifiers: [],
    })
  })

  it.each([1, 2, 125, 128, 130, 255])('fails with exit code %i', async (exitCode) => {
    const report = await run(`exit ${exitCode}`)
    expect(report).toMatchObject({ status: 'failed', reason: `exit ${exitCode} failed (exit ${exitCode})` })
    expect(report.canRetry).toBe(true)
  })

  it('speaks of it by the name that it was given', async () => {
    expect(await run('exit 1', { name: 'unit tests' })).toMatchObject({
      reason: 'unit tests failed (exit 1)',
    })
  })

  it('shows what it ran, where, and what came out', async () => {
    const evidence = evidenceOf(await run('echo seen; exit 3'))
    expect(evidence).toMatchObject({
      command: 'echo seen; exit 3',
      folder,
      exitCode: 3,
      signal: null,
      timedOut: false,
      output: { head: 'seen\n', totalBytes: 5, digest: createHash('sha256').update('seen\n').digest('hex') },
    })
  })
})

describe('given a command that does not run to its end', () => {
  it.each([
    ['no-such-program-here', 'exit 127'],
    ['./not-executable', 'exit 126'],
  ])('is an error of the surroundings for %s, and says the way out', async (line, exit) => {
    await writeFile(join(folder, 'not-executable'), 'text')
    const report = await run(line)
    expect(report).toMatchObject({ status: 'error', qualifiers: ['infrastructure'] })
    expect(report.reason).toContain(line)
    expect(report.reason).toContain(exit)
    expect(report.reason).toContain('correct the command')
  })

  it('is an error of the surroundings where the work folder is gone', async () => {
    const gone = join(folder, 'gone')
    const report = await run('true', {}, { workFolder: gone })
    expect(report).toMatchObject({ status: 'error', qualifiers: ['infrastructure'], evidence: [] })
    expect(report.reason).toContain(gone)
  })

  it('is an error where there is no work folder at all', async () => {
    const report = await run('true', {}, { workFolder: null })
    expect(report).toMatchObject({ status: 'error' })
    expect(report.reason).toContain('no work folder')
  })

  it('is an error after its time, although it would have passed', async () => {
    const report = await run(`trap 'exit 0' TERM; while :; do sleep 0.05; done`, {
      name: 'slow',
      timeoutMs: 200,
    })
    expect(report).toMatchObject({ status: 'error', reason: 'slow did not finish within 0.2 s' })
    expect(evidenceOf(report)).toMatchObject({ exitCode: null, timedOut: true })
  })

  it('is an error when a signal killed it', async () => {
    const report = await run('kill -s SEGV $$', { name: 'crash' })
    expect(report).toMatchObject({ status: 'error', reason: 'crash was killed by SIGSEGV' })
    expect(evidenceOf(report)).toMatchObject({ exitCode: null, signal: 'SIGSEGV' })
  })
})

describe('given a flood of output', () => {
  it('keeps 8 KiB of each end in the verdict and the whole beside it, under one digest', async () => {
    const report = await run('yes 0123456789abcde | head -c 1048576')
    const { output } = evidenceOf(report)
    expect(output.head.length).toBe(8192)
    expect(output.tail.length).toBe(8192)
    expect(output.omittedBytes).toBe(1_048_576 - 16_384)
    const [attachment] = report.attachments ?? []
    expect(attachment?.digest).toBe(output.digest)
    expect(
      createHash('sha256')
        .update(attachment?.content ?? '')
        .digest('hex'),
    ).toBe(output.digest)
  })

  it('keeps at most 4 MiB beside it, and says what is missing', async () => {
    const report = await run('yes 0123456789abcde | head -c 8388608')
    const content = report.attachments?.[0]?.content ?? ''
    expect(content).toContain('[... 4194304 bytes left out ...]')
    expect(content.length).toBeLessThan(4_194_304 + 100)
  })

  it('attaches nothing that the verdict holds already', async () => {
    expect(await run('echo short')).not.toHaveProperty('attachments')
  })
})

describe('given an environment', () => {
  it('adds to that of this process, and keeps our own variables out', async () => {
    process.env['DONECHECK_SECRET_PLAN'] = 'all'
    try {
      const report = await run('echo "$FRUIT|$DONECHECK_SECRET_PLAN|$PATH"', {
        environment: { FRUIT: 'pear' },
      })
      expect(evidenceOf(report).output.head).toBe(`pear||${process.env['PATH'] ?? ''}\n`)
    } finally {
      delete process.env['DONECHECK_SECRET_PLAN']
    }
  })

  it('has one digest for one environment, and another one for another', async () => {
    const digestWith = async (environment: Record<string, string>) =>
      evidenceOf(await run('true', { environment })).environmentDigest
    const digest = await digestWith({ A: '1', B: '2' })
    expect(await digestWith({ B: '2', A: '1' })).toBe(digest)
    expect(await digestWith({ A: '1', B: '3' })).not.toBe(digest)
  })
})

describe('given a check that leaves a process behind', () => {
  it('answers all the same', async () => {
    expect(await run('sleep 1000 & echo started')).toMatchObject({ status: 'passed' })
  })
})

describe('given misuse', () => {
  it.each(['', '  \n'])('refuses the empty line %j, which the shell would call a success', (line) => {
    expect(() => command(line)).toThrow(UsageError)
  })

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses the bound %d', (timeoutMs) => {
    expect(() => command('true', { timeoutMs })).toThrow(/timeoutMs/)
  })
})

describe('describing itself', () => {
  it('is named like its line, required, deterministic, and looks at the work tree', () => {
    expect(command('npm test').description).toEqual({
      name: 'npm test',
      required: true,
      weight: 1,
      deterministic: true,
      reads: 'workspace',
      role: 'check',
    })
  })

  it('runs nothing before it is asked', () => {
    command(`touch ${join(folder, 'early')}`)
    expect(existsSync(join(folder, 'early'))).toBe(false)
  })
})
