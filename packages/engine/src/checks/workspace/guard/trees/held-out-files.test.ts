import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { givenRun, read, removeRuns, startedRun, sumTest } from '../../fixtures/guarded-run.ts'
import { newFolder, put } from '../../fixtures/work-tree.ts'

afterEach(removeRuns)

describe('given files of held-out checks', () => {
  it('they are in a copy for the held-out checks, and nowhere else', async () => {
    const heldOutFiles = newFolder()
    put(heldOutFiles, { 'test/hidden.test.js': 'hidden', 'sum.js': 'laid over' })
    const run = await startedRun({ heldOutFiles })
    const shown = await run.prepare('claim')
    expect(shown.kind).toBe('work-folder')
    const hidden = await run.prepare('held-out')
    expect(hidden).toMatchObject({ kind: 'clean-copy', report: { status: 'passed' } })
    expect(read(hidden.folder, 'test/hidden.test.js')).toBe('hidden')
    expect(read(hidden.folder, 'sum.js')).toBe('laid over')
    expect(existsSync(join(run.folder, 'test/hidden.test.js'))).toBe(false)
    put(heldOutFiles, { 'test/hidden.test.js': 'another' })
    expect((await run.prepare('held-out')).variant).not.toBe(hidden.variant)
  })

  it('a folder that is gone has decided nothing', async () => {
    const run = await startedRun({ heldOutFiles: join(newFolder(), 'gone') })
    expect((await run.prepare('held-out')).report.status).toBe('error')
  })

  it('a folder that the drive could read is refused', () => {
    const folder = newFolder()
    expect(() => givenRun({ workFolder: folder, heldOutFiles: join(folder, 'hidden') })).toThrow(
      'the drive could read',
    )
  })
})

describe('given a changed test before the held-out checks', () => {
  it('they run on the independent tree', async () => {
    const heldOutFiles = newFolder()
    put(heldOutFiles, { 'test/hidden.test.js': 'hidden' })
    const run = await startedRun({ heldOutFiles })
    run.put({ 'test/sum.test.js': 'weak', 'test/plugin.test.js': 'new' })
    const tree = await run.prepare('held-out')
    expect(tree).toMatchObject({ kind: 'independent-tree', report: { status: 'passed' } })
    expect(read(tree.folder, 'test/sum.test.js')).toBe(sumTest)
    expect(existsSync(join(tree.folder, 'test/plugin.test.js'))).toBe(false)
    expect(read(tree.folder, 'test/hidden.test.js')).toBe('hidden')
  })
})

describe('given a snapshot that another run has taken', () => {
  it('the tree is compared with that', async () => {
    const first = await startedRun()
    first.put({ 'test/sum.test.js': "test.skip('adds', () => {})" })
    const { workFolder, snapshotFolder } = first.options
    const later = givenRun({ workFolder, snapshotFolder, snapshotRunId: 'run-1' })
    expect((await later.prepare('claim')).independent).toBeDefined()
  })
})
