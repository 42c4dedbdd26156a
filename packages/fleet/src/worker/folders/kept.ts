/** What of a run's folder is kept beside its record, so that any worker finds it: the base, the tree after each turn, the result. */
import { gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import type { Attachments } from '@donecheck/engine/ports/store'

const base = z.strictObject({ url: z.string(), revision: z.string(), commit: z.string() })
const snapshot = z.strictObject({
  tree: z.string(),
  /** From the base, compressed, in base64. Absent: the tree is that of the sequence named by `sameAs`. */
  patch: z.string().exactOptional(),
  sameAs: z.number().int().exactOptional(),
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

export async function keepSnapshot(
  store: Attachments,
  runId: string,
  sequence: number,
  kept: KeptSnapshot,
): Promise<void> {
  await store.attach(runId, { digest: snapshotName(sequence), content: JSON.stringify(kept) })
}

/** The latest at or before that event. Undefined: none was kept. */
export async function latestSnapshot(
  store: Attachments,
  runId: string,
  sequence: number,
): Promise<FoundSnapshot | undefined> {
  for (let at = sequence; at >= 0; at -= 1) {
    const found = read(snapshot, await store.attachment(runId, snapshotName(at)))
    if (found !== undefined) return { ...found, sequence: at }
  }
  return undefined
}

/** @throws {TypeError} where the record does not have what it names */
export async function patchOf(store: Attachments, runId: string, found: KeptSnapshot): Promise<Buffer> {
  const { patch, sameAs } = found
  if (patch !== undefined) return gunzipSync(Buffer.from(patch, 'base64'))
  const earlier = sameAs === undefined ? undefined : await latestSnapshot(store, runId, sameAs)
  if (earlier?.patch === undefined)
    throw new TypeError(`the patch of tree ${found.tree} of run ${runId} is not in the record`)
  return gunzipSync(Buffer.from(earlier.patch, 'base64'))
}

export function packed(patch: Buffer): string {
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

function snapshotName(sequence: number): string {
  return `fleet-tree-${sequence}`
}

function resultName(sequence: number): string {
  return `fleet-result-${sequence}`
}

function read<Value>(schema: z.ZodType<Value>, attachment: { readonly content: string } | undefined) {
  return attachment === undefined ? undefined : schema.parse(JSON.parse(attachment.content))
}
