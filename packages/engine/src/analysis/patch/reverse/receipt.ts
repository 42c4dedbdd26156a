import type { ChangedFile, ChangeSet, FileImage, PatchFiles } from '../change-set.ts'
import { Overlay, sameBytes, sameImage } from '../plan/overlay.ts'
import type { Plan, PatchProblem } from '../plan/plan.ts'
import { readReceipt, receiptJson } from './receipt-schema.ts'

/** Applied to the files as the changes leave them, it restores the files as they were. */
function reverseOf(changes: ChangeSet): ChangeSet {
  return changes.map(({ path, before, after }) => ({ path, before: after, after: before }))
}

/**
 * A text that undoes the changes through `planReceipt`: both sides of every file, since a patch could not tell whether a file
 * is still what was left behind.
 * @param madeFolders relative to the root: folders that the changes make, to be removed again where they are left empty
 */
export function receiptOf(changes: ChangeSet, madeFolders: readonly string[] = []): string {
  return receiptJson({ files: reverseOf(changes), madeFolders })
}

export type ReceiptPlan =
  | (Extract<Plan, { kind: 'planned' }> & {
      /** Made by the patch, those above first: to be removed afterwards where they are empty. */
      readonly madeFolders: readonly string[]
    })
  | Extract<Plan, { kind: 'refused' }>

/**
 * What a receipt would do to the files as they are now. Refused where any of them is no longer exactly what was left behind,
 * its mode too, and where the text is not marked as a receipt. It is no change where every file is back already.
 */
export async function planReceipt(text: string, files: PatchFiles): Promise<ReceiptPlan> {
  const read = readReceipt(text)
  if (read.kind === 'none')
    return { kind: 'refused', problems: [{ kind: 'malformed', message: read.problem }] }
  const { files: changes, madeFolders } = read.receipt
  const overlay = new Overlay(files)
  const states: FileState[] = []
  for (const change of changes) states.push(await restore(overlay, change))
  if (states.every((state) => state === 'back'))
    return { kind: 'planned', changes: [], notes: [nothingNote(states.length)], madeFolders: [] }
  const problems = states.flatMap((state, index): PatchProblem[] => {
    if (state === 'left') return []
    return [state === 'back' ? backAlready(changes[index]) : state]
  })
  if (problems.length === 0) problems.push(...overlay.clashes())
  return problems.length > 0
    ? { kind: 'refused', problems }
    : { kind: 'planned', changes: overlay.changes(), notes: [], madeFolders }
}

/** As the patch left it, as it was before, or why it is neither. */
type FileState = 'left' | 'back' | PatchProblem

async function restore(overlay: Overlay, { path, before, after }: ChangedFile): Promise<FileState> {
  const spot = await overlay.at(path, undefined)
  if (spot.kind === 'problem') return spot.problem
  if (spot.kind === 'spoiled') return changedSince(path, 'it is named twice')
  if (spot.isLink) return changedSince(path, `a symbolic link leads from it to ${spot.path} now`)
  if (sameImage(spot.image, before)) {
    overlay.set(spot.path, after)
    return 'left'
  }
  if (sameImage(spot.image, after)) return 'back'
  return changedSince(path, differenceOf(before, spot.image))
}

function differenceOf(left: FileImage | null, now: FileImage | null): string {
  if (now === null) return 'it is gone'
  if (left === null) return 'there is a file again'
  return sameBytes(left.bytes, now.bytes)
    ? `its mode is ${now.mode.toString(8)} now`
    : 'its content is another'
}

function changedSince(path: string, how: string): PatchProblem {
  const message = `${path} has changed since the patch: ${how}; taking the patch back would lose that`
  return { kind: 'contradiction', message, path }
}

function backAlready(change: ChangedFile | undefined): PatchProblem {
  const path = change?.path ?? ''
  const message = `${path} has changed since the patch: it is what it was before, and other files are not`
  return { kind: 'contradiction', message, path }
}

function nothingNote(count: number): string {
  return count === 0 ? 'the receipt is of no changes' : 'every file is what it was before the patch already'
}
