/** A receipt as JSON: what the patch left, what was there before, and which folders it made. */
import { z } from 'zod'
import type { ChangeSet, FileImage } from '../change-set.ts'
import { relativePathOf } from '../plan/relative-path.ts'
import { decodeUtf8, encodeUtf8 } from '../utf8.ts'

export interface Receipt {
  /** `before` is what the patch left behind, `after` what is put back. */
  readonly files: ChangeSet
  /** That the patch made: relative to the root. */
  readonly madeFolders: readonly string[]
}

export type ReadReceipt =
  | { readonly kind: 'receipt'; readonly receipt: Receipt }
  /** A sentence with the way out. */
  | { readonly kind: 'none'; readonly problem: string }

/** What marks a receipt; its version is in it. */
const format = 'donecheck-patch-receipt-1'

export function receiptJson({ files, madeFolders }: Receipt): string {
  const written = files.map(({ path, before, after }) => ({
    path,
    before: imageJson(before),
    after: imageJson(after),
  }))
  return `${JSON.stringify({ format, files: written, madeFolders }, undefined, 1)}\n`
}

/** Whether a text claims to be a receipt; it may be a broken one. */
export function isReceipt(text: string): boolean {
  return /^\s*\{\s*"format"\s*:\s*"donecheck-patch-receipt-/.test(text.slice(0, 1_000))
}

export function readReceipt(text: string): ReadReceipt {
  if (text.trim() === '') return none('there is no receipt: the input is empty')
  if (!isReceipt(text))
    return none(
      'this is no receipt: only what `donecheck patch apply` printed, or wrote with --receipt, can be taken back; a patch is applied with `donecheck patch apply`',
    )
  const parsed = receiptSchema.safeParse(parseJson(text))
  if (parsed.success) return { kind: 'receipt', receipt: parsed.data }
  return none(
    `this receipt is damaged, or of another version: ${z.prettifyError(parsed.error).replaceAll('\n', ' ')}`,
  )
}

function none(problem: string): ReadReceipt {
  return { kind: 'none', problem }
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
