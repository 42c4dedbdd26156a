import { existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import {
  findingsIn,
  givenRun,
  hook,
  notesIn,
  project,
  read,
  removeRuns,
  startedRun,
  sumTest,
} from '../fixtures/guarded-run.ts'
import { git, newFolder, newRepository, put } from '../fixtures/work-tree.ts'

afterEach(removeRuns)

describe('given an untouched tree', () => {
  it('remembers it, says how much is protected, and has the work folder checked', async () => {
    const run = givenRun()
    const tree = await run.prepare('baseline')
    expect(tree).toMatchObject({ kind: 'work-folder', folder: run.folder, report: { status: 'passed' } })
    expect(notesIn(tree)[0]).toMatch(/: 4 files, \d+ of them protected$/)
  })

  it('finds nothing while nothing is done, nor in honest work', async () => {
    const run = await startedRun()
    expect(findingsIn(await run.prepare())).toEqual([])
    run.put({
      'sum.js': 'export const sum = (a, b) => a + b\n',
      'test/more.test.js': sumTest.replace('adds', 'adds more'),
    })
    const tree = await run.prepare('claim')
    expect(tree).toMatchObject({ kind: 'work-folder', report: { status: 'passed' } })
    expect(findingsIn(tree)).toEqual([])
  })

  it('leaves nothing in the work folder', async () => {
    const run = givenRun()
    const before = readdirSync(run.folder)
    await run.prepare('baseline')
    await run.prepare()
    expect(readdirSync(run.folder)).toEqual(before)
    expect(git(run.folder, 'status', '--porcelain')).toBe('')
  })
})

describe('given a check that was changed and can be put back', () => {
  it('has a copy checked with the earlier test, the new code and the new tests', async () => {
    const run = await startedRun()
    run.put({
      'sum.js': 'export const sum = () => 3\n',
      'test/sum.test.js': sumTest.replace("test('adds'", "test.skip('adds'"),
      'test/new.test.js': sumTest.replace('adds', 'new'),
    })
    const tree = await run.prepare('claim')
    expect(tree).toMatchObject({ kind: 'restored-copy', report: { status: 'passed', canRetry: true } })
    expect(read(tree.folder, 'test/sum.test.js')).toBe(sumTest)
    expect(read(tree.folder, 'test/new.test.js')).toContain('new')
    expect(read(tree.folder, 'sum.js')).toContain('() => 3')
    expect(read(run.folder, 'test/sum.test.js')).toContain('test.skip')
    expect(findingsIn(tree)[0]).toMatchObject({
      rule: 'test.skipped',
      response: 'restore',
      path: 'test/sum.test.js',
    })
    expect(tree.report.reason).toContain('test/sum.test.js')
  })

  it('puts a deleted test back', async () => {
    const run = await startedRun()
    rmSync(join(run.folder, 'test'), { recursive: true })
    const tree = await run.prepare()
    expect(read(tree.folder, 'test/sum.test.js')).toBe(sumTest)
    expect(findingsIn(tree)[0]).toMatchObject({ rule: 'test.deleted' })
  })

  it('sees a test that git was told to forget', async () => {
    const run = await startedRun()
    git(run.folder, 'rm', '--quiet', '--cached', 'test/sum.test.js')
    run.put({ '.gitignore': 'node_modules\nout\ntest\n' })
    const tree = await run.prepare()
    expect(read(tree.folder, 'test/sum.test.js')).toBe(sumTest)
  })

  it('writes back no test through a link that took its folder', async () => {
    const run = await startedRun()
    const elsewhere = newFolder()
    rmSync(join(run.folder, 'test'), { recursive: true })
    symlinkSync(elsewhere, join(run.folder, 'test'))
    const tree = await run.prepare()
    expect(read(tree.folder, 'test/sum.test.js')).toBe(sumTest)
    expect(readdirSync(elsewhere)).toEqual([])
  })

  it('names the copy by what was put back: equal for equal content', async () => {
    const run = await startedRun()
    const weak = (limit: string) => ({
      'test/sum.test.js': sumTest.replace('assert.equal(sum(1, 2), 3)', limit),
    })
    run.put(weak('assert.ok(true)'))
    const [one, again] = [await run.prepare(), await run.prepare()]
    expect(one.variant).toBe(again.variant)
    expect(one.folder).not.toBe(again.folder)
    run.put({
      ...weak('assert.ok(true)'),
      'package.json': project['package.json'].replace('node --test', 'true'),
    })
    expect((await run.prepare()).variant).not.toBe(one.variant)
  })

  it('ends the copy, and not what it links to', async () => {
    const run = await startedRun()
    run.put({ 'node_modules/left/index.js': 'left' })
    rmSync(join(run.folder, 'test/sum.test.js'))
    const tree = await run.prepare()
    await tree.dispose()
    expect(existsSync(tree.folder)).toBe(false)
    expect(read(run.folder, 'node_modules/left/index.js')).toBe('left')
  })
})

describe('given a change that is refused', () => {
  it('says what was found, and how to undo or allow it', async () => {
    const run = await startedRun()
    run.put(hook)
    const { report, kind } = await run.prepare('claim')
    expect(kind).toBe('work-folder')
    expect(report).toMatchObject({ status: 'failed', canRetry: true, qualifiers: ['tampered'] })
    expect(report.reason).toContain('.git/hooks/pre-commit was added during the run')
    expect(report.reason).toContain('mayChange')
    expect(report.reason).toContain('waive')
  })

  it('is over for who claims to be done with it in place again, also after a resume', async () => {
    const run = await startedRun()
    run.put(hook)
    expect((await run.prepare('change')).report.canRetry).toBe(true)
    expect((await run.prepare('change')).report.canRetry).toBe(true)
    run.restart()
    expect((await run.prepare('claim')).report.canRetry).toBe(false)
    expect((await run.prepare('cap')).report.canRetry).toBe(false)
  })

  it('passes once it is undone', async () => {
    const run = await startedRun()
    run.put(hook)
    await run.prepare()
    rmSync(join(run.folder, '.git/hooks/pre-commit'))
    expect((await run.prepare('claim')).report.status).toBe('passed')
  })

  it('starts anew with another baseline', async () => {
    const run = await startedRun()
    run.put(hook)
    await run.prepare()
    await run.prepare('baseline')
    expect((await run.prepare('claim')).report.status).toBe('passed')
  })

  it('refuses what cannot be put back: an installed runner', async () => {
    const folder = newRepository(project)
    put(folder, { 'node_modules/vitest/cli.js': 'run' })
    const run = await startedRun({ workFolder: folder })
    run.put({ 'node_modules/vitest/cli.js': 'process.exit(0)' })
    const tree = await run.prepare()
    expect(tree.report.status).toBe('failed')
    expect(findingsIn(tree)[0]).toMatchObject({ rule: 'runner.replaced', response: 'refuse' })
  })

  it('refuses what was touched outside', async () => {
    const home = newFolder()
    const run = await startedRun({ home })
    put(home, { '.npmrc': 'script-shell=/bin/true' })
    const tree = await run.prepare()
    expect(findingsIn(tree)[0]).toMatchObject({ rule: 'outside.touched', path: join(home, '.npmrc') })
    expect(tree.report.status).toBe('failed')
  })
})
