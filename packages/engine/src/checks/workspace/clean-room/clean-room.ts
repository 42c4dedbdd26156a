/** Clean rooms of one project: folders rebuilt before every deciding run. */
import { hash } from 'node:crypto'
import { mkdirSync, rmSync, copyFileSync, lstatSync, utimesSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { jsonOf, realPath, roomPlaces, stateHome } from '../../../base/index.ts'
import type { CleanRoom } from '../../../ports/checks.ts'
import { findRepository, inheritedEnvironment } from '../../../system/process/index.ts'
import {
  namesIn,
  writeWhole,
  type Overlay,
  type Trees,
  makeRepository,
  type TreeEntries,
  bytePathOfText,
  parentOf,
  readText,
  textOf,
  type BytePath,
} from '../../../system/trees/index.ts'
import { SnapshotError, type Snapshots } from '../snapshots.ts'
import {
  bringFiles,
  broughtFile,
  isInstalled,
  listAddedPackages,
  listBroughtFiles,
  type BroughtFile,
} from './brought-files.ts'
import { prepareEnvironment, readStartOfHome, startOfHome, type StartOfHome } from './environment.ts'
import { layTree } from './lay-tree.ts'
import { choosePlace, removeOrphanedPlaces } from './place.ts'
import { leaseRoom, removeOldFiles, removeOldRooms, type LeasedRoom } from './lease.ts'

const startShape = z.strictObject({ brought: z.string(), home: startOfHome })
const stateShape = z.strictObject({
  /** Last preparation of the files outside the tree. */
  broughtAtMs: z.number(),
  /** The non-packages among them. */
  beside: z.array(z.string()),
  /** Files of packages installed after the start. */
  added: z.array(z.string()),
})
type RoomState = z.output<typeof stateShape>

interface Start {
  readonly brought: readonly BroughtFile[]
  readonly home: StartOfHome
}

const noteName = 'clean-room.json'

export class CleanRooms {
  readonly #workFolder: string
  readonly #roomsFolder: string
  readonly #folder: string
  readonly #listsFolder: string
  readonly #snapshots: Snapshots
  readonly #starts = new Map<string, Start>()

  /** @param workFolder real path @param snapshotFolder real path */
  constructor(workFolder: string, snapshotFolder: string, snapshots: Snapshots) {
    this.#workFolder = workFolder
    const { all, own } = roomsOf(workFolder, snapshotFolder)
    this.#roomsFolder = all
    this.#folder = own
    this.#listsFolder = join(snapshotFolder, 'lists')
    this.#snapshots = snapshots
  }

  async rememberStart(runId: string, tree: TreeEntries, signal: AbortSignal): Promise<void> {
    const inTree = (path: BytePath) => tree.has(path)
    const brought = await listBroughtFiles(this.#workFolder, foldersOf(tree), inTree, signal)
    const home = readStartOfHome(inheritedEnvironment())
    const text = JSON.stringify(brought)
    const digest = hash('sha256', text)
    const file = join(this.#listsFolder, digest)
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) writeWhole(file, text)
    else utimesSync(file, new Date(), new Date())
    this.#snapshots.writeNote(runId, noteName, JSON.stringify({ brought: digest, home }))
    this.#starts.set(runId, { brought, home })
    await this.open(runId).bring(signal)
    removeOldRooms(this.#roomsFolder)
    // Rooms may be large: nobody waits for it.
    void removeOrphanedPlaces(this.#roomsFolder)
    removeOldFiles(this.#listsFolder)
  }

  /** Opens a room for one verification; it is leased on first use. @param runId whose start counts */
  open(runId: string): OpenRoom {
    return new OpenRoom(this.#workFolder, () => {
      const lease = leaseRoom(this.#folder)
      return { lease, trees: this.#snapshots.trees, start: this.#startOf(runId) }
    })
  }

  /** @throws {SnapshotError} if unknown */
  #startOf(runId: string): Start {
    const known = this.#starts.get(runId)
    if (known !== undefined) return known
    const note = startShape.safeParse(jsonOf(this.#snapshots.readNote(runId, noteName) ?? ''))
    if (!note.success)
      throw new SnapshotError('what stood beside the tree at the start of this run is not known')
    const { brought: digest, home } = note.data
    const text = readText(join(this.#listsFolder, digest))
    const brought = z.array(broughtFile).safeParse(jsonOf(text))
    if (hash('sha256', text) !== digest || !brought.success)
      throw new SnapshotError('the list of what stood beside the tree at the start of this run is damaged')
    const start = { brought: brought.data, home }
    this.#starts.set(runId, start)
    return start
  }
}

/** Real paths of the room folders of all projects (of the user or the store) and of this one. */
export function roomsOf(workFolder: string, snapshotFolder: string) {
  const home = { environment: process.env, homeFolder: homedir() }
  const ofUser = realPath(join(stateHome(home), 'donecheck'))
  const isOfUser = snapshotFolder.startsWith(`${ofUser}/`)
  const all = isOfUser ? choosePlace(roomPlaces(home), ofUser) : join(snapshotFolder, 'work')
  return { all, own: join(all, hash('sha256', `${workFolder}\0${snapshotFolder}`).slice(0, 16)) }
}

function foldersOf(tree: TreeEntries): readonly string[] {
  return [...new Set(['', ...[...tree.keys()].map(parentOf)])].map(textOf)
}

interface LaidTree {
  readonly tree: TreeEntries
  readonly overlay: Overlay
  /** Copies packages installed since the start. */
  readonly mayInstall: boolean
  /** Commit of the room's repository. Default: that of the work folder. */
  readonly commit?: string
}

interface TakenRoom {
  readonly lease: LeasedRoom
  readonly trees: Trees
  readonly start: Start
}

/** Room of one verification; its runs are sequential. */
export class OpenRoom {
  readonly #workFolder: string
  readonly #take: () => TakenRoom
  #taken: TakenRoom | undefined
  #queue: Promise<unknown> = Promise.resolve()

  constructor(workFolder: string, take: () => TakenRoom) {
    this.#workFolder = workFolder
    this.#take = take
  }

  /** Builds tree and overlay, and runs there alone. @throws {SnapshotError} */
  run<Result>(
    laid: LaidTree,
    signal: AbortSignal,
    work: (room: CleanRoom) => Promise<Result>,
  ): Promise<Result> {
    const done = this.#queue.then(async () => {
      this.#taken ??= this.#take()
      return work(await this.#lay(this.#taken, laid, signal))
    })
    this.#queue = done.catch(() => undefined)
    return done
  }

  /** Never rejects. */
  async close(): Promise<void> {
    await this.#queue
    this.#taken?.lease.release()
    this.#taken = undefined
  }

  /** Copies the files outside the tree before they can change. Throws as `run` does. */
  async bring(signal: AbortSignal): Promise<void> {
    const taken = this.#take()
    try {
      const { root } = taken.lease
      const { folder } = this.#folders(root)
      mkdirSync(folder, { recursive: true })
      await this.#bring(taken, folder, { hides: () => false, added: [] }, signal)
    } finally {
      taken.lease.release()
    }
  }

  #folders(root: string) {
    const workFolder = this.#workFolder
    const place = findRepository(workFolder)
    const top = join(root, 'tree', basename(place?.root ?? workFolder))
    return { place, top, folder: join(top, relative(place?.root ?? workFolder, workFolder)) }
  }

  #otherRooms(root: string) {
    const others = namesIn(dirname(root)).filter((name) => /^\d+$/u.test(name) && name !== basename(root))
    return others
      .map((name) => join(dirname(root), name))
      .map((one) => ({ roomFolder: this.#folders(one).folder, broughtAtMs: readState(one).broughtAtMs }))
  }

  async #bring(
    { lease: { root }, start }: TakenRoom,
    folder: string,
    { hides, added }: { readonly hides: (path: BytePath) => boolean; readonly added: readonly BroughtFile[] },
    signal: AbortSignal,
  ): Promise<void> {
    const state = readState(root)
    const addedPaths = added.map(([path]) => path)
    for (const path of state.added)
      if (!addedPaths.includes(path)) rmSync(join(folder, path), { recursive: true, force: true })
    const beside = start.brought.filter(([path]) => !isInstalled(path)).map(([path]) => path)
    removeGone(state, new Set(beside), folder)
    await bringFiles({
      files: [...start.brought.filter(([path]) => !hides(bytePathOfText(path))), ...added],
      workFolder: this.#workFolder,
      roomFolder: folder,
      broughtAtMs: state.broughtAtMs,
      otherRooms: this.#otherRooms(root),
      signal,
    })
    // Change times have fractions of a millisecond: a fresh copy must not look newer.
    const now: RoomState = { broughtAtMs: Date.now() + 1, beside, added: addedPaths }
    writeWhole(`${root}.json`, JSON.stringify(now))
  }

  async #lay(taken: TakenRoom, laid: LaidTree, signal: AbortSignal): Promise<CleanRoom> {
    const { tree, overlay, mayInstall, commit } = laid
    const { lease, trees, start } = taken
    const workFolder = this.#workFolder
    const { place, top, folder } = this.#folders(lease.root)
    mkdirSync(folder, { recursive: true })
    rmSync(join(top, '.git'), { recursive: true, force: true })
    if (place !== undefined) {
      await makeRepository(place, top, commit, signal)
      bringRulesAbove(workFolder, place.root, folder)
    }
    const brought = new Set(start.brought.map(([path]) => bytePathOfText(path)))
    const mayStay = (path: BytePath) => brought.has(path)
    await layTree({ trees, workFolder, roomFolder: folder, tree, overlay, mayStay, signal })
    const added = mayInstall
      ? await listAddedPackages(workFolder, start.brought, foldersOf(tree), signal)
      : []
    const hides = (path: BytePath) => overlay.has(path) || tree.has(path)
    await this.#bring(taken, folder, { hides, added }, signal)
    const inherited = inheritedEnvironment()
    const own = {
      start: start.home,
      environment: inherited,
      workFolder,
      roomFolder: folder,
      root: lease.root,
    }
    const environment = prepareEnvironment(own)
    signal.throwIfAborted()
    return { folder, environment }
  }
}

/** Parent folders may contain ignore rules. */
function bringRulesAbove(workFolder: string, root: string, folder: string): void {
  for (let [from, to] = [workFolder, folder]; from !== root;) {
    from = dirname(from)
    to = dirname(to)
    const rules = join(from, '.gitignore')
    rmSync(join(to, '.gitignore'), { force: true })
    if (lstatSync(rules, { throwIfNoEntry: false })?.isFile() === true)
      copyFileSync(rules, join(to, '.gitignore'))
  }
}

/** Removes what an earlier run copied and no longer exists; keeps what the room wrote since. */
function removeGone({ broughtAtMs, beside }: RoomState, wanted: ReadonlySet<string>, folder: string): void {
  for (const path of beside) {
    if (wanted.has(path)) continue
    const stats = lstatSync(join(folder, path), { throwIfNoEntry: false })
    if (stats !== undefined && !stats.isDirectory() && stats.ctimeMs <= broughtAtMs)
      rmSync(join(folder, path))
  }
}

function readState(root: string): RoomState {
  const parsed = stateShape.safeParse(jsonOf(readText(`${root}.json`)))
  return parsed.success ? parsed.data : { broughtAtMs: 0, beside: [], added: [] }
}
