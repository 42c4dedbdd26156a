import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join, dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { givenRun, read, startedRun, sumTest, notesIn, project } from '../fixtures/guarded-run.ts'
import { newFolder, put, newRepository } from '../fixtures/work-tree.ts'
import { askSum, laidFor, report } from '../fixtures/sum-check.ts'

describe('given files of held-out checks', () => {
  it('they are in a copy for the held-out checks, and nowhere else', async () => {
    const heldOutFiles = newFolder()
    put(heldOutFiles, { 'test/hidden.test.js': 'hidden', 'sum.js': 'laid over' })
    const run = await startedRun({ heldOutFiles })
    const shown = await run.prepare('claim')
    expect(shown.kind).toBe('work-folder')
    const hidden = await run.prepare('held-out')
    const laid = await laidFor(hidden)
    expect(read(laid, 'test/hidden.test.js')).toBe('hidden')
    expect(read(laid, 'sum.js')).toBe('laid over')
    expect(existsSync(join(run.folder, 'test/hidden.test.js'))).toBe(false)
    put(heldOutFiles, { 'test/hidden.test.js': 'another' })
    expect((await run.prepare('held-out')).variant).not.toBe(hidden.variant)
  })

  it('a folder that is gone has decided nothing', async () => {
    const run = await startedRun({ heldOutFiles: join(newFolder(), 'gone') })
    expect((await run.prepare('held-out')).report.status).toBe('error')
  })

  it('a folder that the agent could read is refused', () => {
    const folder = newFolder()
    expect(() => givenRun({ workFolder: folder, heldOutFiles: join(folder, 'hidden') })).toThrow(
      'the agent could read',
    )
  })
})

describe('given a changed test before the held-out checks', () => {
  it('they run on the restored tree', async () => {
    const heldOutFiles = newFolder()
    put(heldOutFiles, { 'test/hidden.test.js': 'hidden' })
    const run = await startedRun({ heldOutFiles })
    run.put({ 'test/sum.test.js': 'weak', 'test/plugin.test.js': 'new' })
    const tree = await run.prepare('held-out')
    const laid = await laidFor(tree)
    expect(read(laid, 'test/sum.test.js')).toBe(sumTest)
    expect(existsSync(join(laid, 'test/plugin.test.js'))).toBe(false)
    expect(read(laid, 'test/hidden.test.js')).toBe('hidden')
  })
})

describe('given a snapshot that another run has taken', () => {
  it('the tree is compared with that', async () => {
    const first = await startedRun()
    first.put({ 'test/sum.test.js': "test.skip('adds', () => {})" })
    const { workFolder, snapshotFolder } = first.options
    const later = givenRun({ workFolder, snapshotFolder, snapshotRunId: 'run-1' })
    expect((await later.prepare('claim')).mayBeGone).toBe('any')
  })
})

const right = 'export const sum = (a, b) => a + b\n'
const same = "export const same = (a, b) => { if (a !== b) throw new Error('differs') }\n"

/** The work folder of a run with these files, in which the test is green wherever `isGreen` says so. */
async function after(files: Readonly<Record<string, string>>, work: (folder: string) => void) {
  const run = await startedRun({ workFolder: newRepository({ ...project, ...files }) })
  work(run.folder)
  run.put({ 'test/more.test.js': '' })
  const tree = await run.prepare()
  return async (isGreen: (folder: string) => boolean, countsTests = false) =>
    askSum(
      tree,
      (folder) =>
        existsSync(join(folder, 'test/more.test.js')) || isGreen(folder)
          ? report('passed', [])
          : report('failed', [{ name: 'adds', file: 'test/sum.test.js' }]),
      { countsTests },
    )
}

function move(folder: string, from: string, to: string): void {
  mkdirSync(dirname(join(folder, to)), { recursive: true })
  renameSync(join(folder, from), join(folder, to))
}

const holds = (path: string, text: string) => (folder: string) =>
  existsSync(join(folder, path)) && read(folder, path).includes(text)

describe('given a source that moved', () => {
  it.each(['lib/sum.js', 'sum.ts', 'src/deep/sum.mjs'])('the earlier test finds it at %s', async (to) => {
    const ask = await after({}, (folder) => {
      rmSync(join(folder, 'sum.js'))
      mkdirSync(dirname(join(folder, to)), { recursive: true })
      put(folder, { [to]: right, 'test/sum.test.js': sumTest.replace('../sum.js', `../${to}`) })
    })
    const { report: said, folders } = await ask(holds('sum.js', 'a + b'))
    expect(said.status).toBe('passed')
    expect(folders).toHaveLength(4)
    expect(read(folders[3] ?? '', 'test/sum.test.js')).toBe(sumTest)
    expect(notesIn({ report: said })).toContainEqual(
      'green as well with the earlier checks, where sum.js moved',
    )
  })

  it('a helper of tests is the earlier one, wherever it moved', async () => {
    const test = sumTest.replace("'../sum.js'", "'../sum.js'\nimport { same } from './same.js'")
    const ask = await after({ 'test/same.js': same, 'test/sum.test.js': test }, (folder) => {
      rmSync(join(folder, 'test/same.js'))
      put(folder, {
        'test/helpers/same.js': same.replace('a !== b', 'a !== a'),
        'test/sum.test.js': test.replace('./same.js', './helpers/same.js'),
      })
    })
    const earlier = holds('test/same.js', 'a !== b')
    const { report: said } = await ask((folder) => {
      expect(existsSync(join(folder, 'test/helpers/same.js'))).toBe(!earlier(folder))
      return !earlier(folder)
    })
    expect(said).toMatchObject({ status: 'failed', qualifiers: ['tampered'] })
  })
})

describe('given a package whose modules are read in another way now', () => {
  const types = { 'test/sum.test.js': sumTest.replace("import { sum } from '../sum.js'", '') }
  const toModule = (folder: string) =>
    put(folder, {
      'package.json': project['package.json'].replace('"module"', '"commonjs"'),
      'test/sum.test.js': `'use strict'\n${types['test/sum.test.js']}`,
    })

  it('the earlier tests are read as they were', async () => {
    const ask = await after(types, toModule)
    const { report: said } = await ask(holds('test/package.json', '{"type":"module"}'))
    expect(said.status).toBe('passed')
  })
})

describe('given a folder that moved as a whole', () => {
  const inPackage = {
    'packages/cart/package.json': '{ "name": "cart", "version": "1.0.0" }\n',
    'packages/cart/sum.js': right,
    'packages/cart/test/cart.test.js': sumTest,
  }
  const moved = (folder: string) => {
    move(folder, 'packages/cart', 'packages/basket')
    put(folder, { 'packages/basket/test/cart.test.js': sumTest.replace('3)', 'sum(1, 2))') })
  }
  const isThere = (folder: string) =>
    holds('packages/basket/test/cart.test.js', 'assert.equal(sum(1, 2), 3)')(folder) &&
    !existsSync(join(folder, 'packages/cart'))

  it('its earlier tests are asked at the new place, where they are counted', async () => {
    const ask = await after(inPackage, moved)
    expect((await ask(isThere, true)).report.status).toBe('passed')
    expect((await ask(isThere, false)).report.status).toBe('failed')
  })

  it('not where something is left at the old place', async () => {
    const ask = await after(inPackage, (folder) => {
      moved(folder)
      put(folder, { 'packages/cart/sum.js': 'export const sum = () => 7\n' })
    })
    expect(
      (await ask((folder) => holds('packages/basket/test/cart.test.js', '3)')(folder), true)).report.status,
    ).toBe('failed')
  })
})
