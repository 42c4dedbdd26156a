import { hash } from 'node:crypto'
import { z } from 'zod'
import { SnapshotError } from './snapshot-error.ts'

const digest = z.string().regex(/^[0-9a-f]{64}$/)
const entry = z.strictObject({
  /** With one character for each byte, relative to the work folder. */
  path: z.string().min(1),
  kind: z.enum(['file', 'executable', 'symlink', 'other']),
  /** Of the content or of a symlink's target; empty for `other`. */
  digest: z.union([digest, z.literal('')]),
  /** Permission bits. */
  mode: z.number().int().nonnegative(),
  sizeBytes: z.number().int().nonnegative(),
  /** False: the digest alone is known. */
  isKept: z.boolean(),
})
const marks = z.record(z.string(), z.string())
const manifest = z.strictObject({
  version: z.literal(1),
  runId: z.string(),
  workFolder: z.string(),
  takenAtMs: z.number(),
  /** The commit that it was taken from; null: the work tree as it was. */
  commit: z.string().nullable(),
  entries: z.array(entry),
  /** What stands beside the tree, by name; each value changes when the thing does. */
  watched: z.strictObject({
    /** Installed packages and programs by their content, and packages by their stamps. */
    runners: marks,
    runnerStamps: marks.default({}),
    git: marks,
    outside: marks,
    /** Scripts of the checks, relative to the work folder where they are in it; a link is followed. */
    scripts: marks.default({}),
  }),
})

export type ManifestEntry = z.output<typeof entry>
/** The baseline tree of a run: what there was, and where its content is kept. */
export type Manifest = z.output<typeof manifest>
export type Marks = Readonly<Record<string, string>>

/** The text of a manifest begins with the digest of the rest. */
export function writeManifest(value: Manifest): string {
  const json = JSON.stringify(value)
  return `${hash('sha256', json)}\n${json}\n`
}

/** @throws {SnapshotError} for a text that is not as it was written */
export function readManifest(text: string): Manifest {
  const [expected, json = ''] = text.split('\n')
  if (expected !== hash('sha256', json))
    throw new SnapshotError('the record of the baseline tree is damaged: its digest does not match')
  const parsed = manifest.safeParse(JSON.parse(json))
  if (parsed.success) return parsed.data
  throw new SnapshotError(`the record of the baseline tree cannot be read: ${z.prettifyError(parsed.error)}`)
}
