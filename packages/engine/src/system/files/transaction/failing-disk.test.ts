import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import { existsSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { commitChanges } from './commit-changes.ts'
import {
  changeFolder,
  endingAt,
  failingHalfway,
  failingOnce,
  image,
  manyChanges,
  manyFiles,
  operationsOf,
  removeChangeFolders,
  treeOf,
} from './fixtures/change-folder.ts'
import { recoverChanges } from './recover-changes.ts'

afterEach(removeChangeFolders)

async function wholeChange() {
  const folder = changeFolder(manyFiles)
  const before = treeOf(folder.root)
  const count = await operationsOf((operations) =>
    commitChanges(folder.root, manyChanges, { journalFolder: folder.journalFolder, operations }),
  )
  return { before, after: treeOf(folder.root), count }
}

/** The change is broken off before its operation `step`, and the settling of it before its operation `later`. */
async function brokenOff(step: number, later: number) {
  const { root, journalFolder } = changeFolder(manyFiles)
  const committed = await commitChanges(root, manyChanges, { journalFolder, operations: endingAt(step) })
  await recoverChanges(root, { journalFolder, operations: endingAt(later) })
  const recoveries = await recoverChanges(root, { journalFolder })
  return { committed, recoveries, tree: treeOf(root), journals: treeOf(journalFolder) }
}

describe('given a disk on which one operation fails', () => {
  it('the change is taken back as a whole, or made as a whole', { timeout: 60_000 }, async () => {
    const whole = await wholeChange()
    expect(whole.count).toBeGreaterThan(30)
    for (let step = 1; step <= whole.count; step++) {
      const { root, journalFolder } = changeFolder(manyFiles)
      const operations = failingOnce(step)
      const committed = await commitChanges(root, manyChanges, { journalFolder, operations })
      const label = `operation ${step} of ${whole.count}`
      const isMade = committed.kind === 'committed'
      // Only what clears the journal away may fail for a change that is made.
      expect(isMade, label).toBe(step > whole.count - 2)
      if (!isMade) expect(committed, label).toMatchObject({ kind: 'failed', rolledBack: true })
      expect(treeOf(root), label).toEqual(isMade ? whole.after : whole.before)
      const recoveries = await recoverChanges(root, { journalFolder })
      // A journal that could be emptied has nothing to tell.
      expect(recoveries.length, label).toBe(step === whole.count - 1 ? 1 : 0)
      expect(treeOf(root), label).toEqual(isMade ? whole.after : whole.before)
      expect(treeOf(journalFolder), label).toEqual({})
    }
  })
})

describe('given a change that is broken off at any operation', () => {
  it('then it is settled: all files are old or all are new', { timeout: 60_000 }, async () => {
    const whole = await wholeChange()
    for (let step = 1; step <= whole.count; step++) {
      const { committed, recoveries, tree, journals } = await brokenOff(step, 1)
      const label = `operation ${step} of ${whole.count}`
      const isMade =
        committed.kind === 'committed' || recoveries.some(({ outcome }) => outcome === 'completed')
      expect(tree, label).toEqual(isMade ? whole.after : whole.before)
      expect(journals, label).toEqual({})
      expect(
        recoveries.flatMap(({ foreign }) => foreign),
        label,
      ).toEqual([])
    }
  })

  it('and its settling too, then the next one settles it', { timeout: 120_000 }, async () => {
    const whole = await wholeChange()
    for (let step = 5; step <= whole.count; step += 8)
      for (let later = 1; later <= 30; later += 8) {
        const { tree, journals } = await brokenOff(step, later)
        const label = `operation ${step} of ${whole.count}, then operation ${later} of the settling`
        expect([whole.before, whole.after], label).toContainEqual(tree)
        expect(journals, label).toEqual({})
      }
  })
})

describe('given a disk that is full in the middle of a file', () => {
  it('then the change is taken back as a whole', { timeout: 60_000 }, async () => {
    const whole = await wholeChange()
    let failures = 0
    for (let step = 1; step <= whole.count; step++) {
      const { root, journalFolder } = changeFolder(manyFiles)
      const operations = failingHalfway(step)
      const committed = await commitChanges(root, manyChanges, { journalFolder, operations })
      if (committed.kind === 'committed') continue
      failures += 1
      expect(committed, `operation ${step}`).toMatchObject({ kind: 'failed', rolledBack: true })
      expect(treeOf(root), `operation ${step}`).toEqual(whole.before)
      expect(treeOf(journalFolder), `operation ${step}`).toEqual({})
    }
    // The journal, and the eight files that are written.
    expect(failures).toBe(9)
  })
})

describe('given any files and any changes of them', () => {
  const text = fc.constantFrom('', 'x', 'y\n', 'long'.repeat(50))
  const mode = fc.constantFrom(0o644, 0o755, 0o600)
  const side = fc.option(fc.record({ text, mode }))
  const path = fc.constantFrom('a', 'b', 'd/a', 'd/b', 'd/e/a', 'f/a', 'g/h/i')
  const change = fc.record({ path, before: side, after: side })
  const changes = fc.uniqueArray(change, { selector: (one) => one.path, maxLength: 6 })

  test.prop([changes, fc.nat(60), fc.nat(30)], { numRuns: 60 })(
    'a change that is broken off anywhere, and its settling too, leaves all old or all new',
    async (drawn, step, later) => {
      const set = drawn
        .filter(({ before, after }) => before !== null || after !== null)
        .map((one) => ({ path: one.path, before: imageOf(one.before), after: imageOf(one.after) }))
      const files = set.flatMap((one) => (one.before === null ? [] : [[one.path, one.before] as const]))
      const { root, journalFolder } = changeFolder(Object.fromEntries(files))
      const old = treeOf(root)
      await commitChanges(root, set, { journalFolder, operations: endingAt(step + 1) })
      await recoverChanges(root, { journalFolder, operations: endingAt(later + 1) })
      await recoverChanges(root, { journalFolder })
      if (existsSync(journalFolder)) expect(treeOf(journalFolder)).toEqual({})
      if (isSameTree(treeOf(root), old)) {
        expect(await commitChanges(root, set, { journalFolder })).toEqual({ kind: 'committed' })
      }
      const young = set.flatMap((one) => (one.after === null ? [] : [[one.path, one.after] as const]))
      expect(filesIn(treeOf(root))).toEqual(filesIn(treeOf(changeFolder(Object.fromEntries(young)).root)))
    },
  )
})

function imageOf(side: { readonly text: string; readonly mode: number } | null) {
  return side && image(side.text, side.mode)
}

function filesIn(tree: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(tree).filter(([path]) => !path.endsWith('/')))
}

function isSameTree(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
