import { existsSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  givenRun,
  notesIn,
  project,
  read,
  startedOutside,
  startedRun,
  sumTest,
} from '../fixtures/guarded-run.ts'
import { askSum, judgeSum, report } from '../fixtures/sum-check.ts'
import { git, newFolder, put } from '../fixtures/work-tree.ts'

const testFile = 'test/sum.test.js'
const weak = sumTest.replace('assert.equal(sum(1, 2), 3)', 'assert.ok(true)')
const right = 'export const sum = (a, b) => a + b\n'

describe('given a baseline tree', () => {
  it('remembers it, says how much is protected, and has the work folder checked', async () => {
    const run = givenRun()
    const tree = await run.prepare('baseline')
    expect(tree).toMatchObject({ kind: 'work-folder', folder: run.folder, report: { status: 'passed' } })
    expect(notesIn(tree)[0]).toMatch(/: 4 files, \d+ of them protected$/)
  })

  it('needs one run of the checks while only the product is changed', async () => {
    const run = await startedRun()
    run.put({ 'sum.js': right })
    const tree = await run.prepare('claim')
    expect(tree).toMatchObject({ kind: 'work-folder', folder: run.folder, report: { status: 'passed' } })
    expect(tree.mayBeGone).toBeUndefined()
    const { folders, room } = await askSum(tree)
    expect(folders).toEqual([room])
  })
})

describe('given a changed check files', () => {
  it('believes right work that the earlier checks confirm, with new tests beside them', async () => {
    const run = await startedRun()
    run.put({ 'sum.js': right, 'test/more.test.js': sumTest.replace('adds', 'adds more') })
    const tree = await run.prepare('claim')
    const { report, folders, room } = await askSum(tree)
    expect(report).toMatchObject({ status: 'passed' })
    expect(folders).toEqual([room, run.folder])
    expect(existsSync(join(room, 'test/more.test.js'))).toBe(false)
    expect(read(room, 'sum.js')).toBe(right)
  })

  it('lays the whole check files as it was under the new product', async () => {
    const run = await startedRun()
    run.put({
      'sum.js': right,
      [testFile]: weak,
      'test/other.test.js': weak,
      'package.json': project['package.json'].replace('node --test', 'true'),
    })
    const { room: laid, report, mayBeGone } = await askSum(await run.prepare('claim'))
    expect(report.status).toBe('passed')
    expect(read(laid, testFile)).toBe(sumTest)
    expect(read(laid, 'package.json')).toContain('node --test')
    expect(read(laid, 'sum.js')).toBe(right)
    expect(existsSync(join(laid, 'test/other.test.js'))).toBe(false)
    expect(read(run.folder, testFile)).toBe(weak)
    expect(mayBeGone).toEqual([undefined, 'any'])
  })

  it('brings along what was ignored and installed at the start, and nothing that a runner would load since', async () => {
    const run = givenRun()
    run.put({ 'out/sum.js': 'built', 'node_modules/left/index.js': 'left' })
    await run.prepare('baseline')
    run.put({ 'sum.js': right, 'out/sum.js': 'forged', 'node_modules/left/index.js': 'patched' })
    run.put({
      '.gitignore': 'node_modules\nout\n.env\n',
      '.env': 'NODE_OPTIONS=--import ./x.js\n',
      [testFile]: weak,
    })
    const { room: laid } = await askSum(await run.prepare('claim'))
    expect(read(laid, 'out/sum.js')).toBe('built')
    expect(read(laid, 'node_modules/left/index.js')).toBe('left')
    expect(existsSync(join(laid, '.env'))).toBe(false)
  })

  it.each([
    ['a configuration that comes first', 'eslint.config.js', 'export default []\n'],
    ['a helper that tests may mean', 'test/support/same', 'exports.same = () => {}\n'],
  ])('leaves out %s and that the agent made git ignore', async (_, path, text) => {
    const run = await startedRun()
    run.put({ 'sum.js': right, '.gitignore': `node_modules\nout\n${path}\n`, [path]: text })
    const { room } = await askSum(await run.prepare('claim'))
    expect(existsSync(join(room, path))).toBe(false)
  })

  it.each([
    ['deleted', (folder: string) => rmSync(join(folder, 'test'), { recursive: true })],
    [
      'forgotten by git',
      (folder: string) => {
        git(folder, 'rm', '--quiet', '--cached', testFile)
        put(folder, { '.gitignore': 'node_modules\nout\ntest\n', [testFile]: weak })
      },
    ],
    [
      'moved away behind a link',
      (folder: string) => {
        rmSync(join(folder, 'test'), { recursive: true })
        symlinkSync(newFolder(), join(folder, 'test'))
      },
    ],
  ])('a test that was %s is there again, and red', async (_, remove) => {
    const run = await startedRun()
    remove(run.folder)
    const laid: string[] = []
    const { report } = await askSum(await run.prepare('claim'), (folder) => {
      laid.push(existsSync(join(folder, testFile)) ? read(folder, testFile) : '')
      return judgeSum(folder)
    })
    expect(laid[0]).toBe(sumTest)
    expect(report).toMatchObject({ status: 'failed', canRetry: true, qualifiers: ['tampered'] })
    expect(report.reason).toContain(testFile)
  })

  it('has not decided where the check cannot be run on the restored tree', async () => {
    const run = await startedRun()
    run.put({ [testFile]: weak })
    const tree = await run.prepare('claim')
    const said = await askSum(tree, () => {
      throw new Error('no room')
    })
    expect(said.report).toMatchObject({ status: 'error' })
    expect(said.report.reason).toContain('no room')
  })
})

describe('given a check that also looks at the layout of the tests', () => {
  const formatted = sumTest.replaceAll(/(['\d)])\n/gu, '$1;\n')
  const judge = (folder: string) =>
    read(folder, testFile).includes(';') ? judgeSum(folder) : report('failed', [{ name: 'layout' }])

  it('asks nobody about a test that was only formatted, and says so', async () => {
    const run = await startedRun()
    run.put({ 'sum.js': right, [testFile]: formatted })
    const { report: said, folders } = await askSum(await run.prepare('claim'), judge)
    expect(said.status).toBe('passed')
    expect(notesIn({ report: said })).toContain(`only formatted or renamed, so nobody is asked: ${testFile}`)
    expect(folders).toHaveLength(3)
  })

  it.each([
    ['another expectation', formatted.replace('3)', '-1)')],
    ['a line more, which ends the test', formatted.replace('  assert', '  return\n  assert')],
    ['a test more', `${formatted}test('more', () => {})\n`],
  ])('is red where it needs %s beside it', async (_, text) => {
    const run = await startedRun()
    run.put({ 'sum.js': right, [testFile]: text })
    const { report: said } = await askSum(await run.prepare('claim'), judge)
    expect(said).toMatchObject({ status: 'failed', qualifiers: ['tampered'] })
  })
})

describe('given what no run of the checks can answer', () => {
  it('says what was found, and how to undo or allow it', async () => {
    const run = await startedOutside()
    run.change()
    const { report, kind } = await run.prepare('claim')
    expect(kind).toBe('work-folder')
    expect(report).toMatchObject({ status: 'failed', canRetry: true, qualifiers: ['tampered'] })
    expect(report.reason).toContain(`${run.script}: a check runs it, and it was changed during the run`)
    expect(report.reason).toContain('--may-change')
  })

  it('waits for authority where the agent claims again, also after a resume', async () => {
    const run = await startedOutside()
    run.change()
    expect((await run.prepare('change')).report.status).toBe('failed')
    expect((await run.prepare('change')).report.status).toBe('failed')
    run.restart()
    expect((await run.prepare('claim')).report.status).toBe('pending')
    expect((await run.prepare('cap')).report.status).toBe('pending')
  })

  it('passes once it is undone', async () => {
    const run = await startedOutside()
    run.change()
    await run.prepare()
    run.undo()
    expect((await run.prepare('claim')).report.status).toBe('passed')
  })
})
