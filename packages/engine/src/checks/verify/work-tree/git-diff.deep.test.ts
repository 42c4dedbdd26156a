import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../base/index.ts'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'
import type { Verifier } from '../../../ports/checks.ts'
import { verifierContract } from '../../../testing/contracts/verifier-contract.ts'
import { check, commitAll, git, newFolder, newRepository, prepared, put } from './fixtures/repository.ts'
import { startedAtOnce } from '../texts/fixtures/ask.ts'
import { gitDiff, type GitDiffOptions } from './git-checks.ts'

function initialise(folder: string): void {
  git(folder, 'init', '--quiet')
  put(folder, 'src/a.ts', 'a\n')
}

verifierContract('gitDiff', {
  passing: () => prepared(gitDiff({ only: ['src/**'] }), initialise),
  failing: () => prepared(gitDiff({ only: ['docs/**'] }), initialise),
  makeUndecided: () => prepared(gitDiff({ only: ['src/**'], against: 'no-such-branch' }), initialise),
  hanging: (onStart) => startedAtOnce(gitDiff({ maxFiles: 1 }), onStart),
})

/** The verdict of the baseline tree, as the loop hands it on. */
async function baselineOf(verifier: Verifier, folder: string): Promise<Verdict> {
  const report = await check(verifier, folder, { trigger: 'baseline', turn: 0 })
  return { ...report, verifier: verifier.description.name, durationMs: 0 }
}

async function reasonOf(folder: string, options: GitDiffOptions): Promise<string> {
  const { status, reason } = await check(gitDiff(options), folder)
  return `${status}: ${reason}`
}

describe('given paths that may be changed', () => {
  it('names what lies outside', async () => {
    const folder = newRepository()
    put(folder, 'test/a.test.ts', 'new\n')
    expect(await reasonOf(folder, { only: ['src/**'] })).toBe(
      'failed: outside of what may change: test/a.test.ts',
    )
  })

  it('forbids what is forbidden, whatever else is allowed', async () => {
    const folder = newRepository()
    put(folder, 'src/secret/key', 'x')
    expect(await reasonOf(folder, { only: ['src/**'], forbid: ['src/secret'] })).toBe(
      'failed: may not be changed: src/secret/key',
    )
  })

  it('counts a rename under both names', async () => {
    const folder = newRepository({ 'test/a.ts': 'same\n'.repeat(50) })
    renameSync(join(folder, 'test'), join(folder, 'src'))
    expect(await reasonOf(folder, { only: ['src/**'] })).toContain('outside of what may change: test/a.ts')
    git(folder, 'add', '--all')
    expect(await reasonOf(folder, { only: ['test/**'] })).toContain('outside of what may change: src/a.ts')
  })

  it('does not take the rest of the repository for its own', async () => {
    const folder = newRepository({ 'app/a.ts': 'a', 'other/b.ts': 'b' })
    put(folder, 'other/b.ts', 'c')
    const app = join(folder, 'app')
    expect(await reasonOf(app, { only: ['**'] })).toBe('failed: outside of what may change: ../other/b.ts')
    expect(await reasonOf(app, { only: ['**', '../other/**'] })).toContain('passed')
  })
})

describe('given bounds on how much is changed', () => {
  it('counts files, lines and bytes, and shows them', async () => {
    const folder = newRepository({ 'a.txt': 'one\ntwo\nthree\n' })
    put(folder, 'a.txt', 'one\n2\n')
    put(folder, 'b.txt', 'no line feed at the end')
    const report = await check(gitDiff({ maxFiles: 2, maxBytes: 1000 }), folder)
    expect(report.status).toBe('passed')
    expect(report.evidence.filter(({ kind }) => kind === 'measure')).toEqual([
      { kind: 'measure', name: 'changed files', value: 2, bound: 2 },
      { kind: 'measure', name: 'added lines', value: 2 },
      { kind: 'measure', name: 'removed lines', value: 2 },
      { kind: 'measure', name: 'changed bytes', value: 29, bound: 1000 },
    ])
  })

  it.each<[GitDiffOptions, string]>([
    [{ maxFiles: 1 }, '2 changed files, more than 1'],
    [{ maxAddedLines: 1 }, '2 added lines, more than 1'],
    [{ maxRemovedLines: 1 }, '2 removed lines, more than 1'],
    [{ maxBytes: 28 }, '29 changed bytes, more than 28'],
    [{ maxFiles: 0, maxBytes: 0 }, '2 changed files, more than 0; 29 changed bytes, more than 0'],
  ])('fails beyond %j', async (options, reason) => {
    const folder = newRepository({ 'a.txt': 'one\ntwo\nthree\n' })
    put(folder, 'a.txt', 'one\n2\n')
    put(folder, 'b.txt', 'no line feed at the end')
    expect(await reasonOf(folder, options)).toBe(`failed: ${reason}`)
  })

  it('is not deceived by an attribute that calls texts binary', async () => {
    const folder = newRepository({ '.gitattributes': '* binary\n', 'a.txt': '' })
    put(folder, 'a.txt', 'line\n'.repeat(100))
    expect(await reasonOf(folder, { maxAddedLines: 50 })).toBe('failed: 100 added lines, more than 50')
    rmSync(join(folder, 'a.txt'))
    expect(await reasonOf(folder, { maxFiles: 1 })).toContain('passed')
  })
})

describe('given an agent that commits', () => {
  it('compares with the commit at the start all the same', async () => {
    const folder = newRepository()
    const verifier = gitDiff({ only: ['src/**'] })
    const baseline = await baselineOf(verifier, folder)
    expect(baseline.status).toBe('passed')
    put(folder, 'test/a.ts', 'evil\n')
    commitAll(folder)
    expect(await check(verifier, folder, { baseline })).toMatchObject({ status: 'failed' })
    expect(await check(gitDiff({ only: ['src/**'] }), folder, { baseline })).toMatchObject({
      status: 'failed',
    })
  })

  it('counts what is in commits alone', async () => {
    const folder = newRepository()
    const verifier = gitDiff({ only: ['src/**'], maxBytes: 5 })
    const baseline = await baselineOf(verifier, folder)
    put(folder, 'src/big', 'x'.repeat(100))
    commitAll(folder)
    rmSync(join(folder, 'src/big'))
    git(folder, 'rm', '--quiet', '--cached', 'src/big')
    const report = await check(verifier, folder, { baseline })
    expect(report).toMatchObject({ status: 'failed', reason: '100 changed bytes, more than 5' })
  })

  it('sees a file that is committed although it is ignored', async () => {
    const folder = newRepository({ '.gitignore': 'build\n' })
    const verifier = gitDiff({ only: ['src/**'] })
    const baseline = await baselineOf(verifier, folder)
    put(folder, 'build/out.js', 'evil')
    expect((await check(verifier, folder, { baseline })).status).toBe('passed')
    commitAll(folder)
    expect(await check(verifier, folder, { baseline })).toMatchObject({ status: 'failed' })
  })

  it('looks the revision up again where that is asked for', async () => {
    const folder = newRepository()
    const verifier = gitDiff({ only: ['src/**'], lookedUp: 'now' })
    const baseline = await baselineOf(verifier, folder)
    put(folder, 'test/a.ts', 'new\n')
    commitAll(folder)
    expect(await check(verifier, folder, { baseline })).toMatchObject({ status: 'passed' })
  })

  it('compares with a named revision', async () => {
    const folder = newRepository()
    git(folder, 'branch', 'before')
    put(folder, 'test/a.ts', 'new\n')
    commitAll(folder)
    expect(await reasonOf(folder, { only: ['src/**'], against: 'before' })).toContain('failed')
    expect(await reasonOf(folder, { only: ['src/**'], against: 'main' })).toContain('passed')
  })
})

describe('given a tree with uncommitted work of its owner', () => {
  it('does not count that as long as it stays as it was', async () => {
    const folder = newRepository()
    put(folder, 'notes.md', 'mine\n')
    const verifier = gitDiff({ only: ['src/**'] })
    const baseline = await baselineOf(verifier, folder)
    expect(baseline.status).toBe('passed')
    put(folder, 'src/a.ts', 'new\n')
    expect(await check(verifier, folder, { baseline })).toMatchObject({ status: 'passed' })
    put(folder, 'notes.md', 'not mine\n')
    expect(await check(verifier, folder, { baseline })).toMatchObject({
      status: 'failed',
      reason: 'outside of what may change: notes.md',
    })
  })

  it('is an error where the start was not recorded', async () => {
    const folder = newRepository()
    const verifier = gitDiff({ only: ['src/**'] })
    const baseline = { ...(await baselineOf(verifier, folder)), evidence: [] }
    expect(await check(verifier, folder, { baseline })).toMatchObject({
      status: 'error',
      qualifiers: ['infrastructure'],
    })
  })
})

describe('given no repository, or no such revision', () => {
  it('is an error of the environment', async () => {
    const outside = await check(gitDiff({ maxFiles: 1 }), newFolder())
    const unknown = await check(gitDiff({ maxFiles: 1, against: '--help' }), newRepository())
    for (const report of [outside, unknown])
      expect(report).toMatchObject({ status: 'error', qualifiers: ['infrastructure'] })
    expect(unknown.reason).toContain('--help')
  })
})

describe('given misuse', () => {
  it.each<GitDiffOptions>([
    {},
    { only: [''] },
    { maxFiles: -1 },
    { maxBytes: Number.NaN },
    { maxAddedLines: 1.5 },
    { maxFiles: 1, against: ' ' },
  ])('refuses %j', (options) => {
    expect(() => gitDiff(options)).toThrow(UsageError)
  })
})
