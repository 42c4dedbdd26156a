import { describe, expect, it } from 'vitest'
import { findingsIn, startedRun, givenRun, notesIn, project, read } from '../fixtures/guarded-run.ts'
import { put, never, newFolder, newRepository } from '../fixtures/work-tree.ts'
import { openSnapshots } from '../snapshots.ts'
import { keepInstalled, readKnownInstalled } from './tamper-guard.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { askSum, report } from '../fixtures/sum-check.ts'

const left = 'node_modules/left'

async function givenEarlierRun() {
  const run = await startedRun()
  run.put({ [`${left}/package.json`]: '{"version":"1.0.0"}', [`${left}/index.js`]: 'left' })
  await run.prepare('baseline', 'run-2')
  return { run, snapshots: () => openSnapshots(run.options.snapshotFolder) }
}

describe('given packages that an earlier run has read', () => {
  it('reads none again that is as it was', async () => {
    const { run, snapshots } = await givenEarlierRun()
    const { runners, runnerStamps } = readKnownInstalled(snapshots())
    expect(runners[left]).toMatch(/^1\.0\.0 /)
    keepInstalled(snapshots(), { runners: { ...runners, [left]: 'as remembered' }, runnerStamps })
    run.restart()
    await run.prepare('baseline', 'run-3')
    expect(snapshots().load('run-3').watched.runners[left]).toBe('as remembered')
  })

  it('reads anew what was written to since', async () => {
    const { run, snapshots } = await givenEarlierRun()
    const earlier = readKnownInstalled(snapshots()).runners[left]
    run.put({ [`${left}/index.js`]: 'right' })
    run.restart()
    await run.prepare('baseline', 'run-3')
    const later = snapshots().load('run-3').watched.runners[left]
    expect(later).toMatch(/^1\.0\.0 /)
    expect(later).not.toBe(earlier)
    run.put({ [`${left}/index.js`]: 'left' })
    const findings = findingsIn(await run.prepare('change', 'run-3'))
    expect(findings.map(({ rule, path }) => `${rule} ${path}`)).toEqual([`runner.replaced ${left}`])
  })

  it('reads all of them anew where the record is damaged', async () => {
    const { run, snapshots } = await givenEarlierRun()
    const earlier = readKnownInstalled(snapshots()).runners[left]
    put(run.options.snapshotFolder, { 'installed.json': '{"runners":' })
    expect(readKnownInstalled(snapshots()).runners).toEqual({})
    run.restart()
    await run.prepare('baseline', 'run-3')
    expect(snapshots().load('run-3').watched.runners[left]).toBe(earlier)
  })
})

const ignore = '__pycache__/\n*.tsbuildinfo\n.eslintcache\n.ruff_cache\n.env\ndist\nnode_modules\n'
const files = { ...project, '.gitignore': ignore, 'src/a.py': 'a = 1\n' }

async function runIn(workFolder: string) {
  put(workFolder, { '.env': 'KEY=1', 'dist/main.js': 'built', 'src/__pycache__/old.pyc': '1' })
  const run = givenRun({ workFolder })
  const start = await run.prepare('baseline')
  await start.recheck?.(never)
  return run
}

describe('given caches that tools believe over the sources', () => {
  it('trusts those from before the run, and those that the checks wrote', async () => {
    const run = await runIn(newRepository(files))
    const tree = await run.prepare()
    expect(tree.kind).toBe('work-folder')
    run.put({ 'src/__pycache__/a.pyc': '1', 'a.tsbuildinfo': '{}' })
    await tree.recheck?.(never)
    expect((await run.prepare('claim')).kind).toBe('work-folder')
  })

  it.each([
    'src/__pycache__/a.pyc',
    'src/__pycache__/old.pyc',
    'a.tsbuildinfo',
    '.eslintcache',
    '.ruff_cache/1/x',
  ])('has a copy without it checked once somebody else wrote %s', async (cache) => {
    const run = await runIn(newRepository(files))
    run.put({ [cache]: 'all is well' })
    const tree = await run.prepare('claim')
    expect(tree).toMatchObject({ kind: 'clean-copy', report: { status: 'passed' } })
    expect(notesIn(tree).join()).toContain(cache)
    expect(existsSync(join(tree.folder, cache))).toBe(false)
    expect(read(tree.folder, 'src/a.py')).toBe('a = 1\n')
    expect(await tree.recheck?.(never)).toBeUndefined()
    expect((await run.prepare('claim')).kind).toBe('clean-copy')
  })

  it('leaves all else in the copy that the work folder has: settings of this machine, what was built', async () => {
    const run = await runIn(newRepository(files))
    run.put({ 'a.tsbuildinfo': '{}' })
    const tree = await run.prepare('claim')
    expect(read(tree.folder, '.env')).toBe('KEY=1')
    expect(read(tree.folder, 'dist/main.js')).toBe('built')
  })

  it('does so without git, and after a resume', async () => {
    const folder = newFolder()
    put(folder, files)
    const run = await runIn(folder)
    run.restart()
    run.put({ 'src/__pycache__/a.pyc': '1' })
    const tree = await run.prepare('claim')
    expect(tree.kind).toBe('clean-copy')
    expect(existsSync(join(tree.folder, 'src/__pycache__/a.pyc'))).toBe(false)
    expect(read(tree.folder, 'src/__pycache__/old.pyc')).toBe('1')
  })
})

const matchers =
  "import { expect } from 'vitest'\nexport const install = () => expect.extend({ toBePrice })\n"
const red = report('failed', [{ name: 'adds', file: 'test/sum.test.js' }])
const green = report('passed', [])

describe('given a source that may reach into the checks', () => {
  it('nobody is asked where the check is green without it', async () => {
    const run = await startedRun()
    run.put({ 'matchers.js': matchers, 'sum.js': 'export const sum = (a, b) => a + b\n' })
    const { report: said, folders } = await askSum(await run.prepare())
    expect(said.status).toBe('passed')
    expect(existsSync(join(folders[1] ?? '', 'matchers.js'))).toBe(false)
    expect(read(folders[1] ?? '', 'sum.js')).toContain('a + b')
  })

  it('the finding is told where it is not, and a person is waited for', async () => {
    const run = await startedRun()
    run.put({ 'matchers.js': matchers })
    const judge = (folder: string) => (existsSync(join(folder, 'matchers.js')) ? green : red)
    const { report: said } = await askSum(await run.prepare('claim'), judge)
    expect(said).toMatchObject({ status: 'failed', qualifiers: ['tampered'] })
    expect(said.evidence).toContainEqual(
      expect.objectContaining({ kind: 'finding', rule: 'source.test-library', path: 'matchers.js' }),
    )
    const { report: again } = await askSum(await run.prepare('claim'), judge)
    expect(again).toMatchObject({ status: 'pending' })
  })
})
