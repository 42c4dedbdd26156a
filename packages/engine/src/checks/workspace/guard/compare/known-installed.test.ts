import { afterEach, describe, expect, it } from 'vitest'
import { findingsIn, removeRuns, startedRun } from '../../fixtures/guarded-run.ts'
import { put } from '../../fixtures/work-tree.ts'
import { openSnapshots } from '../../snapshots.ts'
import { keepInstalled, readKnownInstalled } from '../tamper-guard.ts'

afterEach(removeRuns)

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
