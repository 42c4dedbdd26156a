import { mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { never, newFolder, put, treeOf } from './fixtures/work-tree.ts'
import { readManifest, writeManifest, type Manifest, openSnapshots } from './snapshots.ts'

function manifest(changes: Partial<Manifest> = {}): Manifest {
  return {
    version: 1,
    runId: 'run-1',
    workFolder: '/work',
    takenAtMs: 1,
    commit: null,
    entries: [],
    watched: { scripts: {} },
    ...changes,
  }
}

async function keep(folder: string, place: string, runId = 'run-1') {
  const snapshots = openSnapshots(place)
  return { entries: await snapshots.keep(runId, folder, await treeOf(folder), never), ...snapshots }
}

describe('given a tree', () => {
  it('keeps every content, and of a large file the digest alone', async () => {
    const folder = newFolder()
    put(folder, { 'src/a.ts': 'text', 'src/big.txt': 'x'.repeat(16 * 1024 * 1024 + 1) })
    writeFileSync(join(folder, 'src/picture'), Buffer.of(0xff, 0xd8))
    symlinkSync('src', join(folder, 'link'))
    const { entries, objects } = await keep(folder, newFolder())
    expect(Object.fromEntries(entries.map(({ path, isKept }) => [path, isKept]))).toEqual({
      'src/a.ts': true,
      'src/big.txt': false,
      'src/picture': true,
      link: true,
    })
    const text = entries.find(({ path }) => path === 'src/a.ts')
    expect(objects.get(text?.digest ?? '').toString()).toBe('text')
  })

  it('fails for a file that changes meanwhile', async () => {
    const folder = newFolder()
    put(folder, { a: 'one' })
    const tree = await treeOf(folder)
    put(folder, { a: 'two' })
    const kept = openSnapshots(newFolder()).keep('run-1', folder, tree, never)
    await expect(kept).rejects.toThrow('a was changed while it was looked at')
  })

  it('forgets the runs of long ago', async () => {
    const [folder, place] = [newFolder(), newFolder()]
    for (const runId of ['old', 'young']) openSnapshots(place).save(manifest({ runId }))
    utimesSync(join(place, 'runs/old/manifest'), 1, 1)
    await keep(folder, place)
    expect(readdirSync(join(place, 'runs'))).toEqual(['young'])
  })
})

describe('given a manifest', () => {
  const path = fc.string({ unit: 'binary', minLength: 1, maxLength: 5 })
  const entries = fc.array(
    fc.record({
      path,
      kind: fc.constantFrom('file' as const, 'symlink' as const),
      digest: fc.constantFrom('', 'a'.repeat(64)),
      mode: fc.nat(0o777),
      sizeBytes: fc.nat(),
      isKept: fc.boolean(),
    }),
  )

  it('comes back as it was written', () => {
    fc.assert(
      fc.property(entries, (some) => {
        const given = manifest({ entries: some })
        expect(readManifest(writeManifest(given))).toEqual(given)
      }),
    )
  })

  it('is not believed when any of it was changed', () => {
    const text = writeManifest(manifest({ entries: [] }))
    fc.assert(
      fc.property(fc.nat(text.length - 2), (at) => {
        const changed = `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`
        expect(() => readManifest(changed)).toThrow('damaged')
      }),
    )
  })

  it('is found again by another process, whatever the run is called', () => {
    const place = newFolder()
    for (const runId of ['run-1', '../../etc', 'ä b']) {
      openSnapshots(place).save(manifest({ runId }))
      expect(openSnapshots(place).load(runId).runId).toBe(runId)
    }
    expect(readdirSync(place)).toEqual(['runs'])
  })

  it('is not replaced behind the back of the process that wrote it', () => {
    const place = newFolder()
    const snapshots = openSnapshots(place)
    snapshots.save(manifest({ takenAtMs: 1 }))
    openSnapshots(place).save(manifest({ takenAtMs: 2 }))
    expect(snapshots.load('run-1').takenAtMs).toBe(1)
  })

  it('of another run is not taken', () => {
    const place = newFolder()
    openSnapshots(place).save(manifest({ runId: 'run-1' }))
    mkdirSync(join(place, 'runs/run-2'))
    writeFileSync(join(place, 'runs/run-2/manifest'), readFileSync(join(place, 'runs/run-1/manifest')))
    expect(() => openSnapshots(place).load('run-2')).toThrow('belongs to run run-1')
  })
})
