/** A transaction as the bytes of its journal: a digest, a header in JSON, and the images one after the other. */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { given, jsonOf } from '../../../base/index.ts'
import type { FileImage } from '../../../analysis/patch/index.ts'
import type { Transaction, TransactionFile } from './transaction.ts'

const imageSchema = z.strictObject({ length: z.int().min(0), mode: z.int().min(0).max(0o7777) }).nullable()

const headerSchema = z.strictObject({
  version: z.literal(1),
  id: z.uuid(),
  root: z.string().startsWith('/'),
  folders: z.array(z.string()),
  files: z.array(
    z.strictObject({
      path: z.string(),
      before: imageSchema,
      after: imageSchema,
      owner: z.strictObject({ userId: z.int(), groupId: z.int() }).exactOptional(),
    }),
  ),
})

type StoredImage = z.infer<typeof imageSchema>

export function journalOf(transaction: Transaction): Buffer {
  const images = transaction.files.flatMap(({ before, after }) => [before?.bytes ?? [], after?.bytes ?? []])
  const files = transaction.files.map((file) => ({
    ...file,
    before: storedImage(file.before),
    after: storedImage(file.after),
  }))
  const header: z.infer<typeof headerSchema> = {
    ...transaction,
    version: 1,
    folders: [...transaction.folders],
    files,
  }
  const rest = Buffer.concat([
    Buffer.from(`${JSON.stringify(header)}\n`),
    ...images.map((bytes) => Buffer.from(bytes)),
  ])
  return Buffer.concat([Buffer.from(`${digestOf(rest)}\n`), rest])
}

export type ReadJournal =
  | { readonly kind: 'read'; readonly transaction: Transaction }
  | { readonly kind: 'unreadable'; readonly problem: string }

export function readJournal(bytes: Buffer): ReadJournal {
  const digestEnd = bytes.indexOf('\n')
  const headerEnd = bytes.indexOf('\n', digestEnd + 1)
  const rest = bytes.subarray(digestEnd + 1)
  if (digestEnd === -1 || bytes.subarray(0, digestEnd).toString() !== digestOf(rest))
    return { kind: 'unreadable', problem: 'its content does not have its digest' }
  const parsed = headerSchema.safeParse(jsonOf(bytes.subarray(digestEnd + 1, headerEnd).toString()))
  if (!parsed.success) return { kind: 'unreadable', problem: 'it was written by another version' }
  const { id, root, folders } = parsed.data
  const take = taker(bytes.subarray(headerEnd + 1))
  const files = parsed.data.files.map((file): TransactionFile => ({
    path: file.path,
    before: take(file.before),
    after: take(file.after),
    ...given({ owner: file.owner }),
  }))
  return { kind: 'read', transaction: { id, root, folders, files } }
}

/** In the order in which they were written. */
function taker(bytes: Buffer): (image: StoredImage) => FileImage | null {
  let place = 0
  return (image) => {
    if (image === null) return null
    place += image.length
    return { bytes: bytes.subarray(place - image.length, place), mode: image.mode }
  }
}

function storedImage(image: FileImage | null): StoredImage {
  return image === null ? null : { length: image.bytes.length, mode: image.mode }
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
