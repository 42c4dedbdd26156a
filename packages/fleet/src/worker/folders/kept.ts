/** What of a run's folder is kept beside its record, so that any worker finds it: the base, the tree after each turn, the result. */
import { gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import type { Attachments } from '@donecheck/engine/ports/store'

const base = z.strictObject({ url: z.string(), revision: z.string(), commit: z.string() })
/** Of a part of another run: what that one had changed of the commit, packed as in a snapshot. It is laid before anything else. */
const start = z.strictObject({ parent: z.string(), patch: z.string() })
const snapshot = z.strictObject({
  tree: z.string(),
  /** From the base, compressed, in base64. */
  patch: z.string(),
  /** What the guard remembers, see `guardMemoryFile`. */
  guard: z.string().exactOptional(),
  nested: z.array(z.string()).readonly(),
})
const delivery = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('branch'), branch: z.string(), commit: z.string() }),
  /** Nothing could be pushed; the latest snapshot has it as a patch. */
  z.strictObject({ kind: z.literal('patch'), reason: z.string() }),
  z.strictObject({ kind: z.literal('unchanged') }),
  z.strictObject({ kind: z.literal('in-place'), folder: z.string() }),
])
const result = z.strictObject({ delivery, receipt: z.json() })

export type KeptBase = z.output<typeof base>
export type KeptStart = z.output<typeof start>
export type KeptSnapshot = z.output<typeof snapshot>
export type Delivery = z.output<typeof delivery>
export type RunOutcome = z.output<typeof result>

export interface FoundSnapshot extends KeptSnapshot {
  readonly sequence: number
}

/** The first base holds: a branch may move while the run goes on. */
export async function keepBase(store: Attachments, runId: string, kept: KeptBase): Promise<KeptBase> {
  await store.attach(runId, { digest: 'fleet-base', content: JSON.stringify(kept) })
  return (await baseOf(store, runId)) ?? kept
}

export async function baseOf(store: Attachments, runId: string): Promise<KeptBase | undefined> {
  return read(base, await store.attachment(runId, 'fleet-base'))
}

/** The first one holds, as of a base. */
export async function keepStart(store: Attachments, runId: string, kept: KeptStart): Promise<void> {
  await store.attach(runId, { digest: 'fleet-start', content: JSON.stringify(kept) })
}

/** Undefined: it is a run of its own. */
export async function startOf(store: Attachments, runId: string): Promise<KeptStart | undefined> {
  return read(start, await store.attachment(runId, 'fleet-start'))
}

export async function keepSnapshot(
  store: Attachments,
  runId: string,
  sequence: number,
  kept: KeptSnapshot,
): Promise<void> {
  await store.attach(runId, { digest: snapshotName(sequence), content: JSON.stringify(kept) })
}

/** Undefined: none was kept. */
export async function latestSnapshot(store: Attachments, runId: string): Promise<FoundSnapshot | undefined> {
  for (;;) {
    const sequence = Math.max(0, ...(await keptSequences(store, runId)))
    const found = read(snapshot, await store.attachment(runId, snapshotName(sequence)))
    if (found !== undefined) return { ...found, sequence }
    if (sequence === 0) return undefined
    // It has gone meanwhile, because a later one was kept.
  }
}

/** Once a later one is kept, which needs none of them. What a process that was killed has left goes with the next. */
export async function forgetSnapshotsBefore(
  store: Attachments,
  runId: string,
  sequence: number,
): Promise<void> {
  const earlier = (await keptSequences(store, runId)).filter((kept) => kept < sequence)
  if (earlier.length > 0) await store.detach(runId, earlier.map(snapshotName))
}

async function keptSequences(store: Attachments, runId: string): Promise<readonly number[]> {
  const digests = await store.attachmentDigests(runId)
  return digests
    .filter((digest) => digest.startsWith(snapshotPrefix))
    .map((digest) => Number(digest.slice(snapshotPrefix.length)))
}

export function patchOf({ patch }: Pick<KeptSnapshot, 'patch'>): Buffer {
  return gunzipSync(Buffer.from(patch, 'base64'))
}

export function packPatch(patch: Buffer): string {
  return gzipSync(patch).toString('base64')
}

/** A run that goes on after its end has another result then: each is kept under the sequence of its end. */
export async function keepResult(
  store: Attachments,
  runId: string,
  sequence: number,
  kept: RunOutcome,
): Promise<RunOutcome> {
  const digest = resultName(sequence)
  await store.attach(runId, { digest, content: JSON.stringify(kept) })
  return read(result, await store.attachment(runId, digest)) ?? kept
}

export async function resultOf(
  store: Attachments,
  runId: string,
  sequence: number,
): Promise<RunOutcome | undefined> {
  return read(result, await store.attachment(runId, resultName(sequence)))
}

const snapshotPrefix = 'fleet-tree-'

function snapshotName(sequence: number): string {
  return `${snapshotPrefix}${sequence}`
}

function resultName(sequence: number): string {
  return `fleet-result-${sequence}`
}

function read<Value>(schema: z.ZodType<Value>, attachment: { readonly content: string } | undefined) {
  return attachment === undefined ? undefined : schema.parse(JSON.parse(attachment.content))
}
