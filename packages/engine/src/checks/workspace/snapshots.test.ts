import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { never, newFolder, put, treeOf } from './fixtures/work-tree.ts'
import { readManifest, writeManifest, type Manifest, keepTree, openSnapshots } from './snapshots.ts'

function manifest(changes: Partial<Manifest> = {}): Manifest {
  return {
    version: 1,
    runId: 'run-1',
    workFolder: '/work',
    takenAtMs: 1,
    commit: null,
    entries: [],
    watched: { runners: {}, runnerStamps: {}, git: {}, outside: {}, scripts: {} },
    ...changes,
  }
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

async function keep(folder: string, place: string, limitBytes?: number) {
  const { objects } = openSnapshots(place)
  const isProtected = (path: string) => path.startsWith('test/')
  const limit = limitBytes === undefined ? {} : { limitBytes }
  const kept = await keepTree(await treeOf(folder), { folder, objects, isProtected, signal: never, ...limit })
  return { ...kept, objects }
}

describe('given a tree', () => {
  it('keeps texts, protected files of any kind, and the digest alone of the rest', async () => {
    const folder = newFolder()
    put(folder, { 'src/a.ts': 'text', 'src/big.txt': 'x'.repeat(1024 * 1024 + 1) })
    put(folder, { 'test/huge.snap': 'y'.repeat(1024 * 1024 + 1) })
    writeFileSync(join(folder, 'src/picture'), Buffer.of(0xff, 0xd8))
    symlinkSync('src', join(folder, 'link'))
    const { entries, leftOut, objects } = await keep(folder, newFolder())
    const kept = Object.fromEntries(entries.map(({ path, isKept }) => [path, isKept]))
    expect(kept).toEqual({
      'src/a.ts': true,
      'src/big.txt': false,
      'test/huge.snap': true,
      'src/picture': false,
      link: true,
    })
    expect(leftOut).toBe(0)
    const text = entries.find(({ path }) => path === 'src/a.ts')
    expect(objects.get(text?.digest ?? '').toString()).toBe('text')
  })

  it('keeps protected files first when there is little room, and says how many others it left out', async () => {
    const folder = newFolder()
    put(folder, { 'a.ts': '12345', 'b.ts': '67890', 'test/z.ts': 'abcde' })
    const { entries, leftOut } = await keep(folder, newFolder(), 10)
    expect(entries.filter(({ isKept }) => isKept).map(({ path }) => path)).toEqual(['test/z.ts', 'a.ts'])
    expect(leftOut).toBe(1)
  })

  it('keeps one content once for all runs, for this user alone', async () => {
    const [folder, place] = [newFolder(), newFolder()]
    put(folder, { a: 'same', b: 'same', 'd/c': 'same' })
    await keep(folder, place)
    await keep(folder, place)
    const [object, ...others] = filesBelow(place)
    expect(others).toEqual([])
    expect(statSync(object ?? '').mode & 0o777).toBe(0o600)
    expect(statSync(join(place, 'objects', readdirSync(join(place, 'objects'))[0] ?? '')).mode & 0o777).toBe(
      0o700,
    )
  })

  it('fails for a file that changes meanwhile', async () => {
    const folder = newFolder()
    put(folder, { a: 'one' })
    const tree = await treeOf(folder)
    put(folder, { a: 'two' })
    const { objects } = openSnapshots(newFolder())
    const kept = keepTree(tree, { folder, objects, isProtected: () => true, signal: never })
    await expect(kept).rejects.toThrow('a was changed while it was looked at')
  })

  it('fails for a content that was damaged, and for one that is gone', async () => {
    const [folder, place] = [newFolder(), newFolder()]
    put(folder, { a: 'one' })
    const { entries, objects } = await keep(folder, place)
    const digest = entries[0]?.digest ?? ''
    const [object = ''] = filesBelow(place)
    chmodSync(object, 0o600)
    writeFileSync(object, 'two')
    expect(() => objects.get(digest)).toThrow('damaged')
    rmSync(object)
    expect(() => objects.get(digest)).toThrow('cannot be read (ENOENT)')
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
