import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { GuardedTree } from '../../../ports/checks.ts'
import { hook, project, read, startedRun, sumTest } from '../fixtures/guarded-run.ts'
import { never, newRepository, put } from '../fixtures/work-tree.ts'

const testFile = 'test/sum.test.js'
const weak = sumTest.replace('assert.equal(sum(1, 2), 3)', 'assert.ok(true)')
const after = (tree: GuardedTree) => tree.recheck?.(never)
const rulesOf = (report: GuardedTree['report'] | undefined) =>
  report?.evidence.flatMap((item) => (item.kind === 'finding' ? [`${item.rule} ${item.path}`] : []))

describe('given what happens while the checks run', () => {
  it('has nothing against what checks leave: coverage, caches, new files, another lock', async () => {
    const folder = newRepository({ ...project, 'package-lock.json': '{}' })
    const run = await startedRun({ workFolder: folder })
    const tree = await run.prepare('claim')
    run.put({
      'coverage/index.html': '1',
      'test/__pycache__/a.pyc': '1',
      'test/__snapshots__/new.snap': 'exports[`a 1`] = `1`;\n',
      'package-lock.json': '{ }',
    })
    expect(await after(tree)).toBeUndefined()
  })

  it.each([
    ['a test', { [testFile]: weak }, testFile],
    ['a source', { 'sum.js': 'export const sum = () => 3\n' }, 'sum.js'],
    [
      'what a runner loads unasked, although it is new',
      { 'sitecustomize.py': 'import os\n' },
      'sitecustomize.py',
    ],
    ['a test that was put back', { [testFile]: sumTest }, testFile],
  ])('has not decided where %s was written', async (_, files, path) => {
    const run = await startedRun()
    const tree = await run.prepare('claim')
    run.put(files)
    const report = await after(tree)
    expect(report).toMatchObject({ status: 'error', canRetry: true })
    expect(report?.reason).toContain(`${path} changed while the checks ran`)
  })

  it('has nothing against a source that is written and equal again: builds do that', async () => {
    const run = await startedRun()
    const tree = await run.prepare('claim')
    run.put({ 'sum.js': project['sum.js'] })
    expect(await after(tree)).toBeUndefined()
  })

  it('finds a file that was removed, and a hook that appeared', async () => {
    const run = await startedRun()
    const tree = await run.prepare('claim')
    rmSync(join(run.folder, testFile))
    expect((await after(tree))?.reason).toContain(testFile)
    run.put(hook)
    expect(rulesOf(await after(tree))).toEqual(['git.hooks-changed .git/hooks/pre-commit'])
  })

  it('lets a person allow it', async () => {
    for (const options of [
      { mayChange: ['test/**'] },
      { waivers: [{ path: testFile, by: 'ann', until: '2026-12-31', reason: 'r' }] },
    ]) {
      const run = await startedRun(options)
      const tree = await run.prepare('claim')
      run.put({ [testFile]: `${sumTest}\n` })
      expect(await after(tree)).toBeUndefined()
    }
  })

  it('has not decided where it is interrupted', async () => {
    const run = await startedRun()
    const tree = await run.prepare('claim')
    expect(await tree.recheck?.(AbortSignal.abort())).toMatchObject({ status: 'error' })
  })
})

describe('given a check that writes agreed files by itself', () => {
  it('lets it do so later on, where it did so at the start', async () => {
    const run = await startedRun()
    const start = await run.prepare('baseline')
    chmodSync(join(run.folder, testFile), 0o644)
    expect(await after(start)).toBeUndefined()
    for (const restart of [false, true]) {
      if (restart) run.restart()
      const tree = await run.prepare('claim')
      run.put({ [testFile]: sumTest })
      expect(await after(tree)).toBeUndefined()
    }
  })
})

describe('given installed runners', () => {
  const runner = {
    'node_modules/vitest/package.json': '{}',
    'node_modules/vitest/cli.js': 'run',
    'node_modules/.bin/vitest': 'run',
  }
  async function installed() {
    const folder = newRepository(project)
    put(folder, runner)
    return startedRun({ workFolder: folder })
  }

  it('finds one that was replaced meanwhile', async () => {
    const run = await installed()
    const tree = await run.prepare('claim')
    run.put({ 'node_modules/vitest/cli.js': 'process.exit(0)' })
    expect(rulesOf(await after(tree))).toEqual(['runner.replaced node_modules/vitest'])
  })

  it('finds a program that appeared meanwhile', async () => {
    const run = await installed()
    const tree = await run.prepare('claim')
    run.put({ 'node_modules/.bin/node': 'exit 0' })
    expect(rulesOf(await after(tree))).toEqual(['runner.wrapped node_modules/.bin/node'])
  })

  it('has not decided where one was swapped and put back', async () => {
    const run = await installed()
    const tree = await run.prepare('claim')
    run.put({ 'node_modules/vitest/cli.js': 'process.exit(0)' })
    run.put({ 'node_modules/vitest/cli.js': 'run' })
    expect(await after(tree)).toMatchObject({ status: 'error' })
  })

  it('has nothing against a check that installs them anew', async () => {
    const run = await installed()
    const tree = await run.prepare('claim')
    rmSync(join(run.folder, 'node_modules'), { recursive: true })
    run.put(runner)
    expect(await after(tree)).toBeUndefined()
    expect(read(run.folder, 'node_modules/.bin/vitest')).toBe('run')
  })
})
