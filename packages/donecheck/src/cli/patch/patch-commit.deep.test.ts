/** Real folders: what is taken back is exactly what was there, and nothing that was done since is lost. */
import { Buffer } from 'node:buffer'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { confinedFiles } from '@donecheck/engine/files'
import {
  patchedFolder,
  removePatchedFolders,
  shownFile,
  treeOf,
  type PatchedFolder,
} from './fixtures/patched-folder.ts'
import { planReceipt, type ChangeSet, type FileImage } from '@donecheck/engine/patch'
import { commitPlan, type PatchEnd } from './patch-commit.ts'

afterEach(removePatchedFolders)

type Files = Readonly<Record<string, FileImage>>

const someFile: fc.Arbitrary<FileImage> = fc.record({
  bytes: fc.oneof(
    fc.constantFrom('', 'a\n', 'a\nb\n', 'a\r\nb').map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 4 }),
  ),
  mode: fc.constantFrom(0o644, 0o600, 0o755, 0o700),
})
const path = fc.constantFrom('a', 'b', 'd/a', 'd/e/a', 'new/deep/a', 'new/b')
const someFiles: fc.Arbitrary<Files> = fc
  .uniqueArray(fc.tuple(path, someFile), { selector: ([name]) => name, maxLength: 5 })
  .map((entries) => Object.fromEntries(entries))

function changesBetween(before: Files, after: Files): ChangeSet {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...paths]
    .map((name) => ({ path: name, before: before[name] ?? null, after: after[name] ?? null }))
    .filter(
      (change) =>
        change.before?.mode !== change.after?.mode ||
        Buffer.compare(change.before?.bytes ?? Buffer.of(), change.after?.bytes ?? Buffer.of()) !== 0,
    )
}

function commit(plan: Parameters<typeof commitPlan>[0], { root }: PatchedFolder): Promise<PatchEnd> {
  return commitPlan(plan, { root, isDryRun: false, receiptFile: undefined })
}

async function receiptOfCommit(changes: ChangeSet, place: PatchedFolder): Promise<string> {
  const end = await commit({ kind: 'planned', changes, notes: [] }, place)
  if (end.kind !== 'changed') throw new Error(JSON.stringify(end))
  return end.receipt
}

async function reverse(receipt: string, place: PatchedFolder): Promise<PatchEnd> {
  return commit(await planReceipt(receipt, confinedFiles(place.root)), place)
}

function isBack(before: Files, tree: Readonly<Record<string, string>>): boolean {
  const left = Object.entries(tree).filter(([name]) => !name.endsWith('/'))
  return (
    left.length === Object.keys(before).length &&
    left.every(([name, shown]) => {
      const file = before[name]
      return file !== undefined && shown === shownFile(file)
    })
  )
}

function image(text: string, mode = 0o644): FileImage {
  return { bytes: Buffer.from(text), mode }
}

/** Every way in which somebody else can change what stands at a path, or nothing does. */
const disturbances = {
  'more is written to it': (file: string) => appendFileSync(file, 'later\n'),
  'its mode': (file: string) => {
    if (existsSync(file)) chmodSync(file, statSync(file).mode ^ 0o040)
    else writeFileSync(file, 'again')
  },
  'it is removed': (file: string) => {
    if (existsSync(file)) rmSync(file)
    else writeFileSync(file, '')
  },
  'a symlink to the same content': (file: string) => {
    const copy = `${file}.copy`
    if (existsSync(file)) renameSync(file, copy)
    symlinkSync(copy, file)
  },
  'a folder': (file: string) => {
    rmSync(file, { force: true })
    mkdirSync(file)
  },
}

describe('given any change of a folder', () => {
  it('its receipt restores every byte, mode and folder, and the receipt of that makes it again', async () => {
    await fc.assert(
      fc.asyncProperty(someFiles, someFiles, async (before, after) => {
        const place = patchedFolder(before)
        // Folders that the change empties stay, so they are there on both sides.
        const [old, receipt] = [
          treeOf(place.root),
          await receiptOfCommit(changesBetween(before, after), place),
        ]
        const fresh = treeOf(place.root)
        const back = await reverse(receipt, place)
        expect(treeOf(place.root)).toEqual(old)
        if (back.kind !== 'changed') throw new Error(JSON.stringify(back))
        await reverse(back.receipt, place)
        expect(treeOf(place.root)).toEqual(fresh)
      }),
      { numRuns: 60 },
    )
  })

  it('once anything is disturbed, its receipt is refused and nothing is written', async () => {
    const kinds = fc.constantFrom(...Object.values(disturbances))
    await fc.assert(
      fc.asyncProperty(someFiles, someFiles, fc.nat(), kinds, async (before, after, which, disturb) => {
        const changes = changesBetween(before, after)
        const chosen = changes[which % Math.max(changes.length, 1)]
        fc.pre(chosen !== undefined)
        const place = patchedFolder(before)
        const receipt = await receiptOfCommit(changes, place)
        disturb(join(place.root, chosen.path))
        const disturbed = treeOf(place.root)
        const end = await reverse(receipt, place)
        expect(treeOf(place.root)).toEqual(disturbed)
        // The disturbance can be that very change back.
        if (isBack(before, disturbed) && !(`${chosen.path}/` in disturbed))
          expect(end).toMatchObject({ kind: 'changed', changes: [] })
        else expect(end.kind).toBe('refused')
      }),
      { numRuns: 150 },
    )
  })
})

describe('given a change that is made and taken back', () => {
  const changes: ChangeSet = [{ path: 'new/deep/a', before: null, after: image('a') }]

  it('removes the folders that it made, and says so', async () => {
    const place = patchedFolder({ b: image('b') })
    const receipt = await receiptOfCommit(changes, place)
    expect(await reverse(receipt, place)).toMatchObject({
      notes: [expect.stringContaining('new/deep,'), expect.stringContaining('new,')],
    })
    expect(treeOf(place.root)).toEqual({ b: '644 b' })
  })

  it('leaves a folder that was there, and one in which there is something now', async () => {
    const place = patchedFolder({ 'new/mine': image('m') })
    rmSync(join(place.root, 'new/mine'))
    const receipt = await receiptOfCommit(changes, place)
    writeFileSync(join(place.root, 'new/deep/mine'), '')
    await reverse(receipt, place)
    expect(Object.keys(treeOf(place.root))).toEqual(['new/', 'new/deep/', 'new/deep/mine'])
    rmSync(join(place.root, 'new/deep'), { recursive: true })
    await reverse(await receiptOfCommit(changes, place), place)
    expect(Object.keys(treeOf(place.root))).toEqual(['new/'])
  })
})
