/** A receipt as JSON: what the patch left, what was there before, and which folders it made. */
import { z } from 'zod'
import type { ChangedFile, ChangeSet, FileImage, PatchFiles } from '../change-set.ts'
import { decodeUtf8, encodeUtf8 } from '../utf8.ts'
import { Overlay, sameBytes, sameImage } from './overlay.ts'
import { refusePlan, type PatchProblem, type Plan } from './plan.ts'
import { relativePathOf } from './relative-path.ts'

/** What marks a receipt; its version is in it. */
const format = 'donecheck-patch-receipt-1'

/** Whether a text claims to be a receipt; it may be a broken one. */
export function isReceipt(text: string): boolean {
  return /^\s*\{\s*"format"\s*:\s*"donecheck-patch-receipt-/.test(text.slice(0, 1_000))
}

/**
 * A text that undoes the changes through `planReceipt`: both sides of every file, since a patch could not tell whether a file
 * is still what was left behind.
 * @param madeFolders relative to the root: folders that the changes make, to be removed again where they are left empty
 */
export function receiptOf(changes: ChangeSet, madeFolders: readonly string[] = []): string {
  const files = changes.map(({ path, before, after }) => ({
    path,
    before: imageJson(after),
    after: imageJson(before),
  }))
  return `${JSON.stringify({ format, files, madeFolders }, undefined, 1)}\n`
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
  const receipt = readReceipt(text)
  if (typeof receipt === 'string') return refusePlan({ kind: 'malformed', message: receipt })
  const { files: changes, madeFolders } = receipt
  const overlay = new Overlay(files)
  const states: FileState[] = []
  for (const change of changes) states.push(await restore(overlay, change))
  if (states.every((state) => state === 'back')) {
    const note = states.length === 0 ? 'the receipt is of no changes' : allBack
    return { kind: 'planned', changes: [], notes: [note], madeFolders: [] }
  }
  const problems = states.flatMap((state, index): PatchProblem[] => {
    if (state === 'left') return []
    return [state === 'back' ? backAlready(changes[index]) : state]
  })
  if (problems.length === 0) problems.push(...overlay.clashes())
  return problems.length > 0
    ? refusePlan(...problems)
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

const allBack = 'every file is what it was before the patch already'

/** A text: why there is none, with the way out. */
function readReceipt(text: string): z.output<typeof receiptSchema> | string {
  if (text.trim() === '') return 'there is no receipt: the input is empty'
  if (!isReceipt(text))
    return 'this is no receipt: only what `donecheck patch apply` printed, or wrote with --receipt, can be taken back; a patch is applied with `donecheck patch apply`'
  const parsed = receiptSchema.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  return `this receipt is damaged, or of another version: ${z.prettifyError(parsed.error).replaceAll('\n', ' ')}`
}

/** Text stays readable; it is exact all the same, since only what is UTF-8 is written so. */
function imageJson(image: FileImage | null): unknown {
  if (image === null) return null
  const decoded = decodeUtf8(image.bytes)
  const mode = image.mode.toString(8).padStart(4, '0')
  return decoded.kind === 'text'
    ? { mode, text: decoded.text }
    : { mode, base64: z.core.util.uint8ArrayToBase64(image.bytes) }
}

const modeSchema = z
  .string()
  .regex(/^[0-7]{4}$/)
  .transform((digits) => Number.parseInt(digits, 8))

const base64Schema = z.base64('not base64').transform((text) => z.core.util.base64ToUint8Array(text))

const imageSchema = z.union([
  z
    .strictObject({ mode: modeSchema, text: z.string() })
    .transform(({ mode, text }): FileImage => ({ bytes: encodeUtf8(text), mode })),
  z
    .strictObject({ mode: modeSchema, base64: base64Schema })
    .transform(({ mode, base64 }): FileImage => ({ bytes: base64, mode })),
])

/** As it is written: whatever another path would come down to the same file is none. */
const pathSchema = z.string().refine((path) => {
  const relative = relativePathOf(path)
  return relative.kind === 'relative' && relative.path === path
}, 'no plain path below the root')

const fileSchema = z
  .strictObject({ path: pathSchema, before: imageSchema.nullable(), after: imageSchema.nullable() })
  .refine(({ before, after }) => before !== null || after !== null, 'neither a file before nor one after')

/** `before` is what the patch left behind, `after` what is put back; the folders are those that the patch made. */
const receiptSchema = z
  .strictObject({ format: z.literal(format), files: z.array(fileSchema), madeFolders: z.array(pathSchema) })
  .refine(
    ({ files }) => new Set(files.map(({ path }) => path)).size === files.length,
    'a file is in it twice',
  )
  .refine(({ files, madeFolders }) => {
    const removed = files.filter(({ after }) => after === null)
    return madeFolders.every((folder) => removed.some(({ path }) => path.startsWith(`${folder}/`)))
  }, 'a folder in which nothing was added')

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
