/** Files outside the tree for a clean room, as before the first turn: packages and other ignored files. */
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
  /** Relative to the work folder; may lead above it, up to the repository root. */
  z.string(),
  z.enum(['file', 'symlink', 'folder']),
  /** Permission bits. */
  z.number(),
  z.number().describe('size in bytes'),
  z.number().describe('mtimeMs'),
  z.number().describe('ctimeMs'),
])
/** A file with its stamps. */
export type BroughtFile = z.output<typeof broughtFile>

/** Programs build there, so it differs after every run. */
const buildFolders: readonly string[] = ['target']
const installedFolders = installed.filter((name) => !buildFolders.includes(name))

export function isInstalled(path: string): boolean {
  return path.split('/').some((part) => installedFolders.includes(part))
}

/** Files that tools write next to installed packages. */
const toolCache = /(?:^|\/)node_modules\/\.(?!bin(?:\/|$)|pnpm(?:\/|$)|package-lock\.json$|modules\.yaml$)/u

function isSkipped(path: string): boolean {
  return isCache(`${path}/x`) || isCache(path) || toolCache.test(path)
}

/** Above it, a non-package folder is not copied: that would cost more than most checks. */
const maxFiles = 100_000
const maxBytes = 4 * 1024 ** 3
const filesAtOnce = 256

/** Lists git-ignored files without caches. @param folders where packages may be if there is no git */
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

/** Folders with one entry per package or program. */
const containers =
  /(?:^|\/)(?:node_modules(?:\/@[^/]+|\/\.bin|\/\.pnpm)?|site-packages|vendor(?:\/[^/]+)?|bin)$/u

/** Packages installed since: only entirely new entries, no replaced ones. */
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

/** Node searches these for a project inside a larger repository. */
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

/** A configured build that names the work folder, so it would build and test that. */
function isConfigured(folder: string): boolean {
  return ['CMakeCache.txt', 'meson-private'].some(
    (name) => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined,
  )
}

interface BringRequest {
  readonly files: readonly BroughtFile[]
  readonly workFolder: string
  readonly roomFolder: string
  /** Last time the room was prepared; later files are not ours. 0: never. */
  readonly broughtAtMs: number
  /** Rooms of the same project that may still have a file changed since in the work folder. */
  readonly otherRooms: readonly Pick<BringRequest, 'roomFolder' | 'broughtAtMs'>[]
  readonly signal: AbortSignal
}

/** Copies missing or different files. @throws {SnapshotError} naming installed files that changed */
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

/** The change time (ctime) cannot be forged. */
function isSameInRoom(
  [path, kind, , size, mtimeMs]: BroughtFile,
  there: Stats | undefined,
  broughtAtMs: number,
): boolean {
  if (there === undefined || kindOf(there) !== kind || there.ctimeMs > broughtAtMs) return false
  return (there.size === size || mayNameFolder(path)) && Math.abs(there.mtimeMs - mtimeMs) < 2
}

/** Files built or written in the room are newer there. */
function isOfRoom(path: string, there: Stats, broughtAtMs: number): boolean {
  return !isInstalled(path) && broughtAtMs > 0 && there.ctimeMs > broughtAtMs
}

function isUnchanged([, kind, , size, mtimeMs, ctimeMs]: BroughtFile, from: string): boolean {
  const stats = lstatSync(from, { throwIfNoEntry: false })
  if (stats === undefined || kindOf(stats) !== kind) return false
  return stats.size === size && stats.mtimeMs === mtimeMs && stats.ctimeMs === ctimeMs
}

/** Returns a folder with the file as before the first turn: the work folder or an earlier room. */
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
    // Last, so that an interrupted copy has another time and is redone.
    utimesSync(to, mtimeMs / 1_000, mtimeMs / 1_000)
  } catch (error) {
    throw new SnapshotError(`${path} cannot be copied into the clean room (${errorCodeOf(error)})`)
  }
}

const maxNamingBytes = 256 * 1024

/** Files of packages that contain the project's path: programs, and pointers of editable installs. */
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

/** Removes package files that were not there before the first turn, except tool caches. */
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
