import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { RunEvent } from '@donecheck/core/internal/events'
import { donecheckVersion, messageOf, UsageError } from '@donecheck/engine/internal/base'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { buildReceipt } from '@donecheck/engine/receipt'
import { isInside } from '@donecheck/engine/store'
import { ownGitEnvironment } from '@donecheck/engine/internal/system/trees'
import { guardMemoryFile } from '@donecheck/engine/internal/checks/workspace'
import {
  openCache,
  baseOf,
  forgetSnapshotsBefore,
  keepBase,
  keepResult,
  keepSnapshot,
  keepStart,
  latestSnapshot,
  packPatch,
  resultOf,
  startOf,
  patchOf,
  type KeptBase,
  type RunOutcome,
  isWorkLost,
  formatLoss,
  removeTree,
  layPart,
  partsSince,
  startFor,
  type PartLaid,
  type Delivery,
  type KeptStart,
  takenOverBy,
} from './kept.ts'
import { assertAddress, type Credential, FolderError, runGit, askRemote } from './git.ts'
import { openWorkTree, type WorkTree } from './work-tree.ts'
import { fold } from '@donecheck/core/internal/state'

export interface Workplace {
  readonly repository?: { readonly url: string; readonly revision: string } | undefined
  readonly folder?: string | undefined
}

interface FolderRequest {
  readonly runId: string
  readonly store: Store
  readonly signal: AbortSignal
  /** Makes the guard take the current tree as baseline. */
  readonly rememberBase: (place: FolderPlace) => Promise<void>
}

export interface FolderPlace {
  readonly folder: string
  readonly snapshotFolder: string
}

interface OwnPlace extends FolderPlace {
  readonly stateFolder: string
}

export interface RunFolder extends FolderPlace {
  /** Told to the run if the folder is not the one it knows; else undefined. */
  readonly notice: string | undefined
  /** Stores the tree for that event. @returns why it failed, or undefined. Never rejects */
  keep(sequence: number): Promise<string | undefined>
  /** Stores the current tree as the start of that part. */
  handOver(partRunId: string): Promise<void>
  /** Merges the part's changes into the tree. Idempotent. @throws {FolderError} */
  layOver(partRunId: string): Promise<PartLaid>
  /** Delivers a branch, or a patch if nothing can be pushed. Idempotent. @param events of a stopped run */
  deliver(events: readonly RunEvent[]): Promise<RunOutcome>
  remove(): Promise<void>
}

export interface RunFolders {
  /** @throws {FolderError} if it cannot be made now @throws {UsageError} if it never can */
  prepare(workplace: Workplace, request: FolderRequest): Promise<RunFolder>
  removeEnded(isOver: (runId: string) => Promise<boolean>): Promise<void>
}

interface RunFoldersOptions {
  /** An absolute path, equal on every worker of a fleet. */
  readonly folder: string
  readonly credentials: readonly Credential[]
}

export function runFolders({ folder: root, credentials }: RunFoldersOptions): RunFolders {
  return {
    async prepare(workplace, request) {
      const place = placeOf(root, request.runId)
      mkdirSync(place.stateFolder, { recursive: true, mode: 0o700 })
      const { folder, repository } = workplace
      if (folder !== undefined) return folderInPlace(folder, root, place, request)
      if (repository === undefined)
        throw new UsageError(`run ${request.runId} names neither a repository nor a folder to work in`)
      const { url, revision } = repository
      assertAddress(url)
      const cache = await openCache(join(root, 'cache'), url, credentials)
      const known = await baseOf(request.store, request.runId)
      const commit = await cache.fetch(known?.commit ?? revision, request.signal)
      const base = known ?? (await keepBase(request.store, request.runId, { url, revision, commit }))
      if (base.commit !== commit) await cache.fetch(base.commit, request.signal)
      return folderOfRepository({ place, base, cacheFolder: cache.gitFolder, credentials }, request)
    },
    async removeEnded(isOver) {
      const runs = join(root, 'runs')
      if (!existsSync(runs)) return
      for (const runId of readdirSync(runs)) if (await isOver(runId)) await removeTree(join(runs, runId))
    },
  }
}

function placeOf(root: string, runId: string): OwnPlace {
  mkdirSync(join(root, 'runs', runId), { recursive: true, mode: 0o700 })
  const own = realpathSync.native(join(root, 'runs', runId))
  const stateFolder = join(own, 'state')
  return { folder: join(own, 'work'), stateFolder, snapshotFolder: join(stateFolder, 'snapshots') }
}

interface Grounds {
  readonly place: OwnPlace
  readonly base: KeptBase
  readonly cacheFolder: string
  readonly credentials: readonly Credential[]
}

async function folderOfRepository(grounds: Grounds, request: FolderRequest): Promise<RunFolder> {
  const { place, base, cacheFolder, credentials } = grounds
  const { runId, store } = request
  const events = await store.read(runId)
  const start = await startOf(store, runId)
  const given = { ...place, objectFolder: join(cacheFolder, 'objects'), base: base.commit }
  const open = () => openWorkTree({ ...given, over: start && patchOf(start) })
  const isAsLeft = readMark(place.stateFolder) === events.length && existsSync(place.folder)
  const { tree, notice, isBehind } = isAsLeft
    ? { tree: await open(), notice: undefined, isBehind: false }
    : await makeAgain(grounds, request, events, open)
  /** The final tree is gone, so it must not be mistaken for the present one. */
  const endsBehind = (sequence: number) => isBehind && sequence === events.length
  let latest = isAsLeft ? undefined : await latestSnapshot(store, runId)
  const { folder, snapshotFolder } = place
  return {
    folder,
    snapshotFolder,
    notice,
    async keep(sequence) {
      if (endsBehind(sequence)) return undefined
      try {
        latest ??= await latestSnapshot(store, runId)
        const now = await tree.readTree()
        const guard = textOf(guardMemoryFile(place.snapshotFolder, runId))
        if (latest?.sequence !== sequence) {
          const patch = packPatch(await tree.patchTo(now.tree))
          const kept = { ...now, patch, ...(guard === undefined ? {} : { guard }) }
          await keepSnapshot(store, runId, sequence, kept)
          latest = { ...kept, sequence }
          await forgetSnapshotsBefore(store, runId, sequence)
        }
        writeMark(place.stateFolder, sequence)
        return undefined
      } catch (error) {
        return `the tree after event ${sequence} could not be kept: ${messageOf(error)}`
      }
    },
    handOver: async (partRunId) => keepStart(store, partRunId, await startFor(tree, runId)),
    layOver: (partRunId) => layPart(tree, store, partRunId),
    async deliver(past) {
      const known = await resultOf(store, runId, past.length)
      if (known !== undefined) return known
      const { tree: final } = await tree.readTree()
      const { delivery, commit } = endsBehind(past.length)
        ? behind
        : await push({ tree, final, base, start, past, runId, credentials })
      latest ??= await latestSnapshot(store, runId)
      if (delivery.kind === 'patch' && (latest?.tree ?? tree.baseTree) !== final)
        throw new FolderError(`the work of run ${runId} is neither pushed (${delivery.reason}) nor kept`)
      const receipt = receiptOf(past, commit === undefined ? {} : { gitCommit: commit, gitTree: final })
      return keepResult(store, runId, past.length, { delivery, receipt })
    },
    remove: () => removeTree(dirname(place.folder)),
  }
}

/** From the base and the latest patch. The guard observes in between, because the baseline is the base. */
async function makeAgain(
  { place, base, cacheFolder }: Grounds,
  { runId, store, rememberBase }: FolderRequest,
  events: readonly RunEvent[],
  open: () => Promise<WorkTree>,
): Promise<{ readonly tree: WorkTree; readonly notice: string | undefined; readonly isBehind: boolean }> {
  for (const folder of [place.folder, place.stateFolder]) {
    await removeTree(folder).catch((error: unknown) => {
      throw new FolderError(`${folder} could not be made again: ${messageOf(error)}`)
    })
    mkdirSync(folder, { mode: 0o700 })
  }
  const tree = await open()
  await tree.writeBase()
  await layRepository(place.folder, cacheFolder, base.commit, `donecheck/${runId}`)
  if (events.length === 0) return { tree, notice: undefined, isBehind: false }
  const kept = await latestSnapshot(store, runId)
  await rememberBase(place)
  if (kept !== undefined) {
    const became = await tree.apply(patchOf(kept))
    if (became !== kept.tree)
      throw new FolderError(
        `the tree ${kept.tree} of run ${runId} could not be made again: it became ${became}`,
      )
    const memory = guardMemoryFile(place.snapshotFolder, runId)
    if (kept.guard !== undefined && existsSync(memory)) writeFileSync(memory, kept.guard, { mode: 0o600 })
  }
  for (const part of partsSince(events, kept?.sequence ?? 0)) await layPart(tree, store, part)
  const made = { events, sequence: kept?.sequence ?? 0, nested: kept?.nested ?? [] }
  return { tree, notice: formatLoss(made), isBehind: isWorkLost(made) }
}

function receiptOf(events: readonly RunEvent[], git: { gitCommit?: string; gitTree?: string } = {}) {
  const receipt = buildReceipt({
    ...git,
    events,
    packageVersion: donecheckVersion,
    nodeVersion: process.version,
  })
  return JSON.parse(JSON.stringify(receipt)) as RunOutcome['receipt']
}

/** An existing folder stays as it is: nothing is stored or delivered. */
function folderInPlace(
  named: string,
  root: string,
  { snapshotFolder }: FolderPlace,
  { runId, store }: FolderRequest,
): RunFolder {
  if (statSync(named, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`there is no folder ${named} on this machine; name one of a worker, or a repository`)
  const folder = realpathSync.native(named)
  if (isInside(folder, root) || isInside(root, folder))
    throw new UsageError(
      `${named} and ${root}, where other runs have their folders, lie one in the other; name another`,
    )
  return {
    folder,
    snapshotFolder,
    notice: undefined,
    keep: () => Promise.resolve(undefined),
    handOver: () => Promise.resolve(),
    layOver: () => Promise.resolve({ kind: 'in-place' }),
    deliver: (events) =>
      keepResult(store, runId, events.length, {
        delivery: { kind: 'in-place', folder },
        receipt: receiptOf(events),
      }),
    remove: () => Promise.resolve(),
  }
}

function readMark(stateFolder: string): number | undefined {
  const text = textOf(join(stateFolder, 'kept'))
  return text === undefined ? undefined : Number(text)
}

function writeMark(stateFolder: string, sequence: number): void {
  writeFileSync(join(stateFolder, 'kept'), String(sequence), { mode: 0o600 })
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

export const behind: { readonly delivery: Delivery; readonly commit: undefined } = {
  delivery: {
    kind: 'patch',
    reason:
      'the machine was lost before it had kept the tree with which the run ended: this is an earlier one, which was not checked',
  },
  commit: undefined,
}

interface Push {
  readonly tree: WorkTree
  readonly final: string
  readonly base: KeptBase
  readonly start: KeptStart | undefined
  readonly past: readonly RunEvent[]
  readonly runId: string
  readonly credentials: readonly Credential[]
}

/** @returns the commit, pushed or not; it is deterministic */
export async function push({ tree, final, base, start, past, runId, credentials }: Push) {
  if (final === tree.baseTree) return { delivery: { kind: 'unchanged' } as const, commit: base.commit }
  if (start !== undefined) return { delivery: takenOverBy(start), commit: base.commit }
  const commit = await tree.commit(final, commitMessage(past, runId), past.at(-1)?.timeMs ?? 0)
  const branch = `donecheck/${runId}`
  const words = ['push', '--quiet', '--no-verify', '--', base.url, `+${commit}:refs/heads/${branch}`]
  const delivery = await askRemote(tree.gitFolder, base.url, words, credentials).then(
    (): Delivery => ({ kind: 'branch', branch, commit }),
    (error: unknown): Delivery => ({ kind: 'patch', reason: messageOf(error) }),
  )
  return { delivery, commit }
}

function commitMessage(past: readonly RunEvent[], runId: string): string {
  const state = fold(past)
  const [subject = ''] = (state?.task ?? '').trim().split('\n')
  const end = state?.phase.kind === 'stopped' ? state.phase.transition.outcome : 'unknown'
  return `${subject.slice(0, 72)}\n\nDonecheck-Run: ${runId}\nDonecheck-Outcome: ${end}\n`
}

/** Without remote, template, hook or link to the cache, so that the run cannot affect others. */
async function layRepository(
  folder: string,
  cacheFolder: string,
  commit: string,
  branch: string,
): Promise<void> {
  const ask = (...words: readonly string[]) =>
    runGit(['-c', 'protocol.file.allow=always', ...words], {
      folder,
      environment: { ...ownGitEnvironment(join(folder, '.git')), GIT_WORK_TREE: folder },
    })
  const reference = `refs/donecheck/commits/${commit}`
  await ask('init', '--quiet', '--template=', `--initial-branch=${branch}`)
  const words = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--update-head-ok']
  await ask(...words, cacheFolder, `${reference}:refs/heads/${branch}`)
  await ask('read-tree', 'HEAD')
  await ask('update-index', '-q', '--refresh').catch(() => undefined)
}
