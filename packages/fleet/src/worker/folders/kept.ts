import { gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import type { Attachments, Store } from '@donecheck/engine/internal/ports/store'
import type { RunEvent } from '@donecheck/core/internal/events'
import { chmod, readdir, rm } from 'node:fs/promises'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { messageOf, sha256 } from '@donecheck/engine/internal/base'
import { type Credential, askOwn, FolderError, askRemote } from './git.ts'
import { initOwn, type LaidOver, type WorkTree } from './work-tree.ts'

const base = z.strictObject({ url: z.string(), revision: z.string(), commit: z.string() })
/** For a part: its parent's changes to the commit, as a snapshot patch, applied first. */
const start = z.strictObject({ parent: z.string(), patch: z.string() })
const snapshot = z.strictObject({
  tree: z.string(),
  patch: z.string(),
  guard: z.string().exactOptional(),
  nested: z.array(z.string()).readonly(),
})
const delivery = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('branch'), branch: z.string(), commit: z.string() }),
  /** Nothing could be pushed; the latest snapshot contains the patch. */
  z.strictObject({ kind: z.literal('patch'), reason: z.string() }),
  z.strictObject({ kind: z.literal('unchanged') }),
  z.strictObject({ kind: z.literal('in-place'), folder: z.string() }),
])
const result = z.strictObject({ delivery, receipt: z.json() })

export type KeptBase = z.output<typeof base>
export type KeptStart = z.output<typeof start>
type KeptSnapshot = z.output<typeof snapshot>
export type Delivery = z.output<typeof delivery>
export type RunOutcome = z.output<typeof result>

interface FoundSnapshot extends KeptSnapshot {
  readonly sequence: number
}

/** The first base wins, because a branch may move during the run. */
export async function keepBase(store: Attachments, runId: string, kept: KeptBase): Promise<KeptBase> {
  await store.attach(runId, { digest: 'fleet-base', content: JSON.stringify(kept) })
  return (await baseOf(store, runId)) ?? kept
}

export async function baseOf(store: Attachments, runId: string): Promise<KeptBase | undefined> {
  return read(base, await store.attachment(runId, 'fleet-base'))
}

export async function keepStart(store: Attachments, runId: string, kept: KeptStart): Promise<void> {
  await store.attach(runId, { digest: 'fleet-start', content: JSON.stringify(kept) })
}

/** Undefined if the run is not part of another run. */
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

export async function latestSnapshot(store: Attachments, runId: string): Promise<FoundSnapshot | undefined> {
  for (;;) {
    const sequence = Math.max(0, ...(await keptSequences(store, runId)))
    const found = read(snapshot, await store.attachment(runId, snapshotName(sequence)))
    if (found !== undefined) return { ...found, sequence }
    if (sequence === 0) return undefined
    // A later snapshot replaced it.
  }
}

/** Later snapshots do not need them. Leftovers of a killed process go with the next call. */
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

/** Stored under its end's sequence, because a resumed run ends again. */
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

interface MadeAgain {
  readonly events: readonly RunEvent[]
  readonly sequence: number
  readonly nested: readonly string[]
}

export function formatLoss({ events, sequence, nested }: MadeAgain): string {
  const news = isWorkLost({ events, sequence })
    ? `The machine that you worked on was lost. The work folder is again as it was ${momentOf(events, sequence)}: what was changed in it after that is gone, although you may remember it.`
    : `You go on on another machine. The work folder is as it was ${momentOf(events, sequence)}.`
  const inside = nested.length === 0 ? '' : ` So are the repositories ${nested.join(', ')}.`
  return `${news} Files that git ignores, such as installed packages, are not there any more, nor are commits that were made in the folder.${inside} Look at the tree before you go on.`
}

/** Whether work may be missing. An agent works while it is called; tools declare their effects. */
export function isWorkLost({ events, sequence }: Omit<MadeAgain, 'nested'>): boolean {
  const isAgent = events.some((event) => event.type === 'run-started' && event.agent.kind !== 'model')
  return events
    .slice(sequence)
    .some(
      (event) =>
        (event.type === 'tool-called' && event.effect !== 'read') ||
        (event.type === 'model-called' && isAgent),
    )
}

function momentOf(events: readonly RunEvent[], sequence: number): string {
  const turns = events
    .slice(0, sequence)
    .flatMap((event) => (event.type === 'turn-ended' ? [event.turn] : []))
  const last = turns.at(-1)
  return last === undefined ? 'at the start' : `after turn ${last}`
}

/** Also removes folders without write permission, such as package caches. */
export async function removeTree(folder: string): Promise<void> {
  const remove = () => rm(folder, { recursive: true, force: true })
  await remove().catch(async () => {
    await openFolders(Buffer.from(folder))
    await remove()
  })
}

async function openFolders(folder: Buffer): Promise<void> {
  await chmod(folder, 0o700)
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: 'buffer' }))
    if (entry.isDirectory()) await openFolders(Buffer.concat([folder, Buffer.from('/'), entry.name]))
}

interface Cache {
  readonly gitFolder: string
  /** Resolves a branch, tag or full commit id, and keeps the commit cached. @throws {FolderError} */
  fetch(revision: string, signal?: AbortSignal): Promise<string>
}

/** Safe for many processes without locks: it appears atomically, and nothing is ever collected. */
export async function openCache(
  cacheFolder: string,
  address: string,
  credentials: readonly Credential[],
): Promise<Cache> {
  const gitFolder = join(cacheFolder, `${sha256(address).slice(0, 32)}.git`)
  if (!existsSync(gitFolder)) await createCache(cacheFolder, gitFolder)
  const ask = async (...words: readonly string[]) => (await askOwn({ gitFolder }, words)).toString().trim()
  return {
    gitFolder,
    async fetch(revision, signal) {
      if (/^[0-9a-f]{40,64}$/.test(revision) && (await hasCommit(gitFolder, revision))) return revision
      const own = `refs/donecheck/fetched/${randomUUID()}`
      const words = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules']
      try {
        await askRemote(
          gitFolder,
          address,
          [...words, '--', address, `+${revision}:${own}`],
          credentials,
          signal,
        )
      } catch (error) {
        if (!messageOf(error).includes("couldn't find remote ref")) throw error
        throw new FolderError(`${address} has no branch or tag "${revision}"; of a commit give the whole id`)
      }
      const commit = await ask('rev-parse', '--verify', '--end-of-options', `${own}^{commit}`)
      await ask('update-ref', `refs/donecheck/commits/${commit}`, commit)
      await ask('update-ref', '-d', own)
      return commit
    },
  }
}

async function hasCommit(gitFolder: string, commit: string): Promise<boolean> {
  return askOwn({ gitFolder }, [
    'rev-parse',
    '--quiet',
    '--verify',
    `refs/donecheck/commits/${commit}^{commit}`,
  ]).then(
    () => true,
    () => false,
  )
}

async function createCache(cacheFolder: string, gitFolder: string): Promise<void> {
  mkdirSync(cacheFolder, { recursive: true, mode: 0o700 })
  const draft = join(cacheFolder, `.${randomUUID()}`)
  await initOwn(draft)
  try {
    renameSync(draft, gitFolder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another process was first: a non-empty folder cannot be replaced.
    if (!existsSync(gitFolder)) throw error
  }
}

export type PartLaid = LaidOver | { readonly kind: 'unchanged' } | { readonly kind: 'in-place' }

/** Captures the current tree for a part. */
export async function startFor(tree: WorkTree, parent: string): Promise<KeptStart> {
  const now = await tree.readTree()
  return { parent, patch: packPatch(await tree.patchTo(now.tree)) }
}

export async function layPart(tree: WorkTree, store: Store, runId: string): Promise<PartLaid> {
  const start = await startOf(store, runId)
  const found = await latestSnapshot(store, runId)
  if (start === undefined || found === undefined) return { kind: 'unchanged' }
  const patch = patchOf(found)
  return patch.length === 0 ? { kind: 'unchanged' } : tree.layOver(patchOf(start), patch)
}

export function takenOverBy({ parent }: KeptStart): Delivery {
  return { kind: 'patch', reason: `it is a part of run ${parent}, which takes it over` }
}

export function partsSince(events: readonly RunEvent[], sequence: number): readonly string[] {
  const parts = new Set(
    events.flatMap((event) =>
      event.type === 'sub-run-started' && event.elsewhere === true ? [event.childRunId] : [],
    ),
  )
  return events
    .slice(sequence)
    .flatMap((event) =>
      event.type === 'sub-run-ended' && parts.has(event.childRunId) ? [event.childRunId] : [],
    )
}
