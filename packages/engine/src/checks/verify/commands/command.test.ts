import { createHash } from 'node:crypto'
import { watch } from 'node:fs'
import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CommandEvidence } from '@donecheck/core/internal/events/verdicts'
import type { VerifierContext, VerifierResult } from '../../../ports/checks.ts'
import { verifierContract } from '../../../testing/contracts/verifier-contract.ts'
import { contextOf } from '../texts/fixtures/ask.ts'
import { command, type CommandOptions } from './command.ts'

verifierContract('command', {
  passing: () => command('echo fine'),
  failing: () => command('echo broken >&2; exit 1'),
  makeUndecided: () => command('no-such-program-here'),
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
  const context = contextOf({ workFolder: folder, ...changes })
  return command(line, options).verify(context, new AbortController().signal)
}

function evidenceOf(report: VerifierResult): CommandEvidence {
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
  it.each([['no-such-program-here', 'exit 127']])(
    'is an error of the environment for %s, and says the way out',
    async (line, exit) => {
      const report = await run(line)
      expect(report).toMatchObject({ status: 'error', qualifiers: ['infrastructure'] })
      expect(report.reason).toContain(line)
      expect(report.reason).toContain(exit)
      expect(report.reason).toContain('correct the command')
    },
  )

  it.each([
    ['is not executable', '#!/bin/sh\n', 0o644],
    ['has a broken first line', '#!/usr/bin/env bsh-is-missing\n', 0o755],
    ['names an interpreter by a wrong path', '#!/no/such/sh\n', 0o755],
  ])('has failed where its own file %s, which the agent may fix', async (_, text, mode) => {
    await writeFile(join(folder, 'own'), text)
    await chmod(join(folder, 'own'), mode)
    expect(await run('./own')).toMatchObject({ status: 'failed', canRetry: true })
  })

  it.each(['sh lint.sh', 'bash lint.sh', './check', 'node scripts/x.js', 'scripts/check --all'])(
    'has failed where a file of the work is missing, which may be written yet: %s',
    async (line) => {
      expect(await run(line)).toMatchObject({ status: 'failed', canRetry: true })
    },
  )

  it('is an error of the environment where the work folder is gone', async () => {
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
    const script = `process.on('SIGTERM', () => process.exit(0)); setInterval(() => undefined, 1000)`
    await writeFile(join(folder, 'slow.cjs'), script)
    const report = await run(`"${process.execPath}" slow.cjs`, { name: 'slow', timeoutMs: 200 })
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
})

describe('given a command line', () => {
  it.each([
    ['npm test || true', { kind: 'certain' }],
    ['echo fine', { kind: 'certain' }],
    ['npm test', { kind: 'unseen', line: 'npm test' }],
    ['. ./version.sh; [ "$A" = "$B" ]', { kind: 'unseen', line: '. ./version.sh; [ "$A" = "$B" ]' }],
  ])('says what keeps a pass from being believed: %s', (line, doubt) => {
    expect(command(line).doubt?.()).toEqual(doubt)
  })
})

describe('given trouble that is not the work’s', () => {
  it('is an error of the environment where the disk is full', async () => {
    const report = await run(`echo 'Error: ENOSPC: no space left on device, write' >&2 && exit 1`)
    expect(report).toMatchObject({ status: 'error', qualifiers: ['infrastructure'] })
    expect(report.reason).toContain('the disk is full')
  })

  it('is a failure of the work where a test failed, whatever is printed', async () => {
    const words = `'1..1\\nnot ok 1 - a\\nError: ENOSPC: no space left on device, write\\n'`
    expect(await run(`printf ${words} && exit 1`)).toMatchObject({ status: 'failed', qualifiers: [] })
  })
})

describe('given tests whose counts are printed', () => {
  const tap = (text: string) => `printf '${text.replaceAll('\n', '\\n')}'`
  const asVerdict = (report: VerifierResult) => ({ ...report, verifier: 'check', durationMs: 0 })

  it('puts them into the evidence, behind the command', async () => {
    const report = await run(tap('1..2\nok 1 - a\nok 2 - b # SKIP\n'), { name: 'check' })
    expect(report).toMatchObject({ status: 'passed', reason: 'check passed (exit 0; 1 passed, 1 skipped)' })
    expect(report.evidence.map(({ kind }) => kind)).toEqual(['command', 'tests'])
  })

  it.each(['1..0\n', '1..1\nok 1 - a # SKIP\n', '1..1\nnot ok 1 - a\n'])(
    'fails with exit 0 for %j',
    async (text) => {
      expect(await run(tap(text))).toMatchObject({ status: 'failed' })
    },
  )

  it('passes for the exit code alone, where that is chosen', async () => {
    const report = await run(tap('1..1\nnot ok 1 - a\n'), { name: 'check', tests: 'off' })
    expect(report).toMatchObject({ status: 'passed', reason: 'check passed (exit 0)' })
  })

  it('sees that a test is gone, but not where it may go', async () => {
    const both = tap('1..2\nok 1 - old\nok 2 - b\n')
    const one = tap('1..1\nok 1 - b\n')
    const strict = asVerdict(await run(both, {}, { trigger: 'baseline' }))
    expect(await run(one, {}, { baseline: strict })).toMatchObject({ status: 'failed' })
    const options = { mayDrop: ['old*'] }
    const lenient = asVerdict(await run(both, options, { trigger: 'baseline' }))
    expect(await run(one, options, { baseline: lenient })).toMatchObject({ status: 'passed' })
  })
})

describe('given a check that failed on the baseline tree', () => {
  it('says so of a failure without counts, and does not pass even where it need not be better', async () => {
    const baseline = { ...(await run('exit 1')), verifier: 'check', durationMs: 0 }
    const report = await run('exit 1', { preExisting: 'tolerate' }, { baseline })
    expect(report).toMatchObject({ status: 'failed', qualifiers: ['pre-existing'] })
    expect(report.reason).toContain(`'tolerate' cannot be measured`)
    expect((await run('exit 1', {}, { baseline })).reason).not.toContain('tolerate')
  })
})
