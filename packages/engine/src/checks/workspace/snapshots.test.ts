import { mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { never, newFolder, put, treeOf } from './fixtures/work-tree.ts'
import { openSnapshots } from './snapshots.ts'
import { storeTree } from '../../system/trees/index.ts'

async function save(place: string, { folder = newFolder(), runId = 'run-1', takenAtMs = 1 } = {}) {
  const snapshots = openSnapshots(place)
  const tree = await storeTree(snapshots.trees, folder, await treeOf(folder), never)
  const around = { workFolder: folder, takenAtMs, commit: null, watched: { scripts: {} } }
  return { ...(await snapshots.save({ ...around, runId, tree }, never)), ...snapshots }
}

describe('given a tree', () => {
  it('keeps every content, and of a large file the digest alone', async () => {
    const folder = newFolder()
    put(folder, { 'src/a.ts': 'text', 'src/big.txt': 'x'.repeat(16 * 1024 * 1024 + 1) })
    writeFileSync(join(folder, 'src/picture'), Buffer.of(0xff, 0xd8))
    symlinkSync('src', join(folder, 'link'))
    const place = newFolder()
    const { objects } = await save(place, { folder })
    const { entries } = await openSnapshots(place).load('run-1', never)
    expect(Object.fromEntries(entries.map(({ path, isKept }) => [path, isKept]))).toEqual({
      'src/a.ts': true,
      'src/big.txt': false,
      'src/picture': true,
      link: true,
    })
    const text = entries.find(({ path }) => path === 'src/a.ts')
    expect(objects.get(text?.digest ?? '').toString()).toBe('text')
  })

  it('forgets the runs of long ago', async () => {
    const place = newFolder()
    for (const runId of ['old', 'young']) await save(place, { runId })
    utimesSync(join(place, 'runs/old/manifest'), 1, 1)
    await save(place, { runId: 'young' })
    expect(readdirSync(join(place, 'runs'))).toEqual(['young'])
  })
})

describe('given a manifest', () => {
  it('is not believed when it was cut, or names another tree', async () => {
    const place = newFolder()
    await save(place)
    const file = join(place, 'runs/run-1/manifest')
    const text = readFileSync(file, 'utf8')
    for (const other of [text.slice(0, -9), text.replace(/"tree":"../u, '"tree":"00')]) {
      writeFileSync(file, other)
      await expect(openSnapshots(place).load('run-1', never)).rejects.toThrow(/damaged|missing/u)
    }
  })

  it('is found again by another process, whatever the run is called', async () => {
    const place = newFolder()
    for (const runId of ['run-1', '../../etc', 'ä b']) {
      await save(place, { runId })
      expect((await openSnapshots(place).load(runId, never)).runId).toBe(runId)
    }
    expect(readdirSync(place).sort()).toEqual(['runs', 'trees.git'])
  })

  it('is not replaced behind the back of the process that wrote it', async () => {
    const place = newFolder()
    const snapshots = await save(place, { takenAtMs: 1 })
    await save(place, { takenAtMs: 2 })
    expect((await snapshots.load('run-1', never)).takenAtMs).toBe(1)
  })

  it('of another run is not taken', async () => {
    const place = newFolder()
    await save(place)
    mkdirSync(join(place, 'runs/run-2'))
    writeFileSync(join(place, 'runs/run-2/manifest'), readFileSync(join(place, 'runs/run-1/manifest')))
    await expect(openSnapshots(place).load('run-2', never)).rejects.toThrow('belongs to run run-1')
  })
})
