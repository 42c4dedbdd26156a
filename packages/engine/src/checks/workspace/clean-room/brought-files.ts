/**
 * What a clean room gets beside the tree: installed packages, and what else git ignores (data, settings of this machine, what was
 * built), all of it as it was before the first turn.
 */
import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  type Stats,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import {
  installed,
  listIgnored,
  errorCodeOf,
  parentOf,
  textOf,
  type BytePath,
  isCache,
  namesIn,
} from '../../../system/trees/index.ts'
import { findRepository } from '../../../system/process/index.ts'
import { SnapshotError } from '../snapshots.ts'
import { renameFolder } from './folders.ts'

export const broughtFile = z.tuple([
  /** Relative to the work folder; it may lead above it, up to the root of the repository. */
  z.string(),
  z.enum(['file', 'symlink', 'folder']),
  /** Permission bits. */
  z.number(),
  z.number().describe('size in bytes'),
  z.number().describe('mtimeMs'),
  z.number().describe('ctimeMs'),
])
/** One file, and how to see that it is still what it was. */
export type BroughtFile = z.output<typeof broughtFile>

/** Programs build there, so that it is different after every run. */
const buildFolders: readonly string[] = ['target']
const installedFolders = installed.filter((name) => !buildFolders.includes(name))

/** Whether it is in a folder of installed packages. */
export function isInstalled(path: string): boolean {
  return path.split('/').some((part) => installedFolders.includes(part))
}

/** What tools write beside installed packages while they run. */
const toolCache = /(?:^|\/)node_modules\/\.(?!bin(?:\/|$)|pnpm(?:\/|$)|package-lock\.json$|modules\.yaml$)/u

function isSkipped(path: string): boolean {
  return isCache(`${path}/x`) || isCache(path) || toolCache.test(path)
}

/** Beyond it, a folder that is no folder of packages stays away from the room: it would cost more than most checks. */
const maxFiles = 100_000
const maxBytes = 4 * 1024 ** 3
const filesAtOnce = 256

/**
 * Lists what stands there now and git ignores, without caches.
 * @param folders of the tree, relative to the work folder: where packages may be installed in a folder without git
 * @param inTree of these files the tree itself brings the content
 */
export async function listBroughtFiles(
  workFolder: string,
  folders: readonly string[],
  inTree: (path: BytePath) => boolean,
  signal: AbortSignal,
): Promise<readonly BroughtFile[]> {
  const files: BroughtFile[] = []
  for (const root of await findRoots(workFolder, folders, signal)) {
    const listed = await listBelow(workFolder, root, inTree, signal)
    const isSmall = listed.length <= maxFiles && listed.reduce((sum, file) => sum + file[3], 0) <= maxBytes
    if (isSmall || isInstalled(root)) files.push(...listed)
  }
  return files
}

/** Folders that hold one entry for each package or program. */
const containers =
  /(?:^|\/)(?:node_modules(?:\/@[^/]+|\/\.bin|\/\.pnpm)?|site-packages|vendor(?:\/[^/]+)?|bin)$/u

/** Packages that were installed since: whole entries that were not there, none that was there and is another one now. */
export async function listAddedPackages(
  workFolder: string,
  before: readonly BroughtFile[],
  folders: readonly string[],
  signal: AbortSignal,
): Promise<readonly BroughtFile[]> {
  const known = new Set(before.map(([path]) => path))
  const roots = (await findRoots(workFolder, folders, signal)).filter(isInstalled)
  const holders = before.flatMap(([path, kind]) => (kind === 'folder' && containers.test(path) ? [path] : []))
  const added = [
    ...roots.filter((path) => !known.has(path)),
    ...holders
      .filter(isInstalled)
      .flatMap((path) => namesIn(join(workFolder, path)).map((name) => `${path}/${name}`))
      .filter((path) => !known.has(path)),
  ]
  const files: BroughtFile[] = []
  for (const path of new Set(added)) files.push(...(await listBelow(workFolder, path, () => false, signal)))
  return files
}

async function findRoots(
  workFolder: string,
  folders: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const ignored = await listIgnored(workFolder, signal)
  const within =
    ignored?.map((path) => textOf(path.replace(/\/$/u, ''))) ??
    folders.map((folder) => (folder === '' ? 'node_modules' : `${folder}/node_modules`))
  return [...new Set([...within, ...packagesAbove(workFolder)])]
}

/** Where Node looks for packages of a project that is a folder of a larger repository. */
function packagesAbove(workFolder: string): readonly string[] {
  const root = findRepository(workFolder)?.root
  const above: string[] = []
  if (root === undefined) return above
  for (let [folder, up] = [workFolder, '..']; folder !== root && folder !== dirname(folder); up += '/..') {
    above.push(`${up}/node_modules`)
    folder = dirname(folder)
  }
  return above
}

async function listBelow(
  workFolder: string,
  root: string,
  inTree: (path: BytePath) => boolean,
  signal: AbortSignal,
): Promise<readonly BroughtFile[]> {
  const files: BroughtFile[] = []
  const waiting = [root]
  for (let path = waiting.pop(), looked = 0; path !== undefined; path = waiting.pop(), looked += 1) {
    if (looked % filesAtOnce === 0) {
      await setImmediate()
      signal.throwIfAborted()
    }
    const stats = lstatSync(join(workFolder, path), { throwIfNoEntry: false })
    const kind = stats === undefined ? undefined : kindOf(stats)
    if (stats === undefined || kind === undefined || isSkipped(path) || inTree(path)) continue
    files.push([path, kind, stats.mode & 0o777, stats.size, stats.mtimeMs, stats.ctimeMs])
    if (kind === 'folder' && !isConfigured(join(workFolder, path)))
      waiting.push(...namesIn(join(workFolder, path)).map((name) => `${path}/${name}`))
  }
  return files
}

function kindOf(stats: Stats): BroughtFile[1] | undefined {
  if (stats.isFile()) return 'file'
  if (stats.isSymbolicLink()) return 'symlink'
  return stats.isDirectory() ? 'folder' : undefined
}

/** A build that was configured for its own place: it names the work folder, and would build and test that one. */
function isConfigured(folder: string): boolean {
  return ['CMakeCache.txt', 'meson-private'].some(
    (name) => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined,
  )
}

interface BringRequest {
  readonly files: readonly BroughtFile[]
  readonly workFolder: string
  /** The place of the work folder in the room. */
  readonly roomFolder: string
  /** When the room was last brought into order; a file that was changed later is not what we had written. 0: never. */
  readonly broughtAtMs: number
  /** Of the same project: one of them may have what another process has changed since in the work folder. */
  readonly otherRooms: readonly Pick<BringRequest, 'roomFolder' | 'broughtAtMs'>[]
  readonly signal: AbortSignal
}

/**
 * Brings what the room does not have, or has in another state. Of what is not a package the room keeps what it has built itself.
 * @throws {SnapshotError} naming installed files that have to be copied and are not what they were before the first turn
 */
export async function bringFiles(request: BringRequest): Promise<void> {
  const { files, roomFolder, broughtAtMs, signal } = request
  const wanted = new Set(files.map(([path]) => path))
  const lost: string[] = []
  for (const [index, file] of files.entries()) {
    if (index % filesAtOnce === 0) {
      await setImmediate()
      signal.throwIfAborted()
    }
    const [path, kind] = file
    const to = join(roomFolder, path)
    const there = lstatSync(to, { throwIfNoEntry: false })
    if (kind === 'folder') makeFolder(to, there)
    else if (
      !isSameInRoom(file, there, broughtAtMs) &&
      !(there !== undefined && isOfRoom(path, there, broughtAtMs))
    ) {
      const source = findSource(file, request)
      if (source !== undefined) copyOne(file, source, roomFolder)
      else if (isInstalled(path)) lost.push(path)
    }
  }
  if (lost.length > 0)
    throw new SnapshotError(
      `the clean room needs ${lost.slice(0, 3).join(', ')}${lost.length > 3 ? ` and ${lost.length - 3} more` : ''} as before the first turn, and they were changed since`,
    )
  for (const path of installedRoots(wanted)) await removeExtras(roomFolder, path, wanted, signal)
}

function makeFolder(to: string, there: Stats | undefined): void {
  if (there?.isDirectory() === true) return
  if (there !== undefined) rmSync(to, { force: true })
  mkdirSync(to, { recursive: true })
}

/** Nobody can set the time of the last change of a file: one that was written since has a later one. */
function isSameInRoom(
  [path, kind, , size, mtimeMs]: BroughtFile,
  there: Stats | undefined,
  broughtAtMs: number,
): boolean {
  if (there === undefined || kindOf(there) !== kind || there.ctimeMs > broughtAtMs) return false
  return (there.size === size || mayNameFolder(path)) && Math.abs(there.mtimeMs - mtimeMs) < 2
}

/** What was built or written in the room is newer there. */
function isOfRoom(path: string, there: Stats, broughtAtMs: number): boolean {
  return !isInstalled(path) && broughtAtMs > 0 && there.ctimeMs > broughtAtMs
}

function isUnchanged([, kind, , size, mtimeMs, ctimeMs]: BroughtFile, from: string): boolean {
  const stats = lstatSync(from, { throwIfNoEntry: false })
  if (stats === undefined || kindOf(stats) !== kind) return false
  return stats.size === size && stats.mtimeMs === mtimeMs && stats.ctimeMs === ctimeMs
}

/** The folder that has the file as it was before the first turn: the work folder, or a room into which it was brought then. */
function findSource(file: BroughtFile, { workFolder, otherRooms }: BringRequest): string | undefined {
  const [path] = file
  if (isUnchanged(file, join(workFolder, path))) return workFolder
  return otherRooms.find(({ roomFolder, broughtAtMs }) =>
    isSameInRoom(file, lstatSync(join(roomFolder, path), { throwIfNoEntry: false }), broughtAtMs),
  )?.roomFolder
}

function copyOne([path, kind, mode, size, mtimeMs]: BroughtFile, source: string, roomFolder: string): void {
  const [from, to] = [join(source, path), join(roomFolder, path)]
  try {
    rmSync(to, { recursive: true, force: true })
    mkdirSync(dirname(to), { recursive: true })
    if (kind === 'symlink') {
      symlinkSync(renameFolder(readlinkSync(from), source, roomFolder), to)
      lutimesSync(to, mtimeMs / 1_000, mtimeMs / 1_000)
      return
    }
    const text = size <= maxNamingBytes && mayNameFolder(path) ? readFileSync(from, 'latin1') : undefined
    if (text?.includes(source) === true) writeFileSync(to, renameFolder(text, source, roomFolder), 'latin1')
    else copyFileSync(from, to, constants.COPYFILE_FICLONE)
    chmodSync(to, mode)
    // Last: a copy that was broken off has another time than its original, and is made again.
    utimesSync(to, mtimeMs / 1_000, mtimeMs / 1_000)
  } catch (error) {
    throw new SnapshotError(`${path} cannot be copied into the clean room (${errorCodeOf(error)})`)
  }
}

const maxNamingBytes = 256 * 1024

/** Files of installed packages in which tools write the place of the project: programs, and pointers of editable installs. */
function mayNameFolder(path: string): boolean {
  if (!isInstalled(path)) return false
  const name = basename(path)
  return (
    /^(?:bin|\.bin|Scripts)$/u.test(basename(dirname(path))) ||
    /\.(?:pth|egg-link)$|^__editable__|^(?:pyvenv\.cfg|direct_url\.json)$/u.test(name)
  )
}

function installedRoots(wanted: ReadonlySet<string>): readonly string[] {
  return [...wanted].filter((path) => isInstalled(path) && !isInstalled(parentOf(path)))
}

/** Removes what is in a folder of packages and was not there before the first turn, but for caches of tools. */
async function removeExtras(
  roomFolder: string,
  root: string,
  wanted: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  const waiting = [root]
  for (let folder = waiting.pop(), looked = 0; folder !== undefined; folder = waiting.pop(), looked += 1) {
    if (looked % filesAtOnce === 0) {
      await setImmediate()
      signal.throwIfAborted()
    }
    if (lstatSync(join(roomFolder, folder), { throwIfNoEntry: false })?.isDirectory() !== true) continue
    for (const entry of readdirSync(join(roomFolder, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`
      if (isSkipped(path)) continue
      if (!wanted.has(path)) rmSync(join(roomFolder, path), { recursive: true, force: true })
      else if (entry.isDirectory()) waiting.push(path)
    }
  }
}
