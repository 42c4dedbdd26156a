import { describe, expect, it } from 'vitest'
import { findingsIn, startedRun, read } from '../fixtures/guarded-run.ts'
import { put } from '../fixtures/work-tree.ts'
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

const matchers =
  "import { expect } from 'vitest'\nexport const install = () => expect.extend({ toBePrice })\n"
const red = report('failed', [{ name: 'adds', file: 'test/sum.test.js' }])
const green = report('passed', [])

describe('given a source that may reach into the checks', () => {
  it('nobody is asked where the check is green without it', async () => {
    const run = await startedRun()
    run.put({ 'matchers.js': matchers, 'sum.js': 'export const sum = (a, b) => a + b\n' })
    const { report: said, room } = await askSum(await run.prepare())
    expect(said.status).toBe('passed')
    expect(existsSync(join(room, 'matchers.js'))).toBe(false)
    expect(read(room, 'sum.js')).toContain('a + b')
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
