import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { givenRun, project, read, startedRun, sumTest } from '../fixtures/guarded-run.ts'
import { askSum, laidFor, report } from '../fixtures/sum-check.ts'
import { git, newFolder, newRepository } from '../fixtures/work-tree.ts'
import { tamperGuard } from './tamper-guard.ts'

describe('given that checks run in the clean room whatever they say there', () => {
  it('has it asked there at the start and later', async () => {
    const run = givenRun({ checkIn: 'clean-room' })
    for (const trigger of ['baseline', 'claim'] as const) {
      const { folders, room } = await askSum(await run.prepare(trigger), () => report('passed', []))
      expect(folders).toEqual([room])
      expect(read(room, 'sum.js')).toBe(project['sum.js'])
    }
  })
})

describe('given a revision as the baseline', () => {
  it('has a copy of it checked, and compares the work tree with it', async () => {
    const folder = newRepository(project)
    rmSync(join(folder, 'test/sum.test.js'))
    git(folder, 'commit', '--quiet', '--all', '--message', 'without tests')
    const run = givenRun({ workFolder: folder, baseline: 'HEAD~1' })
    const baseline = await run.prepare('baseline')
    expect(baseline).toMatchObject({ kind: 'clean-room', report: { status: 'passed' } })
    expect(read(baseline.folder, 'test/sum.test.js')).toBe(sumTest)
    expect(git(baseline.folder, 'status', '--porcelain')).toBe('')
    const tree = await run.prepare('claim')
    expect(read(await laidFor(tree), 'test/sum.test.js')).toBe(sumTest)
  })

  it('has not decided for a revision that is none', async () => {
    expect((await givenRun({ baseline: 'nonsense' }).prepare('baseline')).report.status).toBe('error')
  })
})

describe('given what cannot be compared', () => {
  it('has not decided without a snapshot', async () => {
    const { report } = await givenRun().prepare('claim')
    expect(report).toMatchObject({ status: 'error' })
    expect(report.reason).toContain('Start a new run')
  })

  it('has not decided with a damaged snapshot', async () => {
    const run = await startedRun()
    const objects = join(run.options.snapshotFolder, 'trees.git/objects')
    for (const entry of readdirSync(objects, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) {
        chmodSync(join(entry.parentPath, entry.name), 0o600)
        writeFileSync(join(entry.parentPath, entry.name), 'damaged')
      }
    rmSync(join(run.folder, 'test/sum.test.js'))
    expect((await run.prepare()).report).toMatchObject({ status: 'error' })
  })

  it('has not decided when a forged record is found after a restart', async () => {
    const run = await startedRun()
    writeFileSync(join(run.options.snapshotFolder, 'runs/run-1/manifest'), 'forged')
    run.restart()
    expect((await run.prepare()).report).toMatchObject({ status: 'error' })
  })

  it('has not decided when it is interrupted', async () => {
    const run = await startedRun()
    const request = { runId: 'run-1', trigger: 'claim' as const, turn: 1, canRetry: true }
    const { report } = await tamperGuard(run.options).prepare(request, AbortSignal.abort())
    expect(report).toMatchObject({ status: 'error', reason: 'interrupted' })
  })

  it('does not keep its record where the agent could edit it', () => {
    const workFolder = newFolder()
    mkdirSync(join(workFolder, 'inner'))
    expect(() => givenRun({ workFolder, snapshotFolder: join(workFolder, 'inner') })).toThrow(
      'inside the work folder',
    )
  })
})
