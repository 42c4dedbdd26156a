import { Buffer } from 'node:buffer'
import { lstatSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ChangedFile, ChangeSet, FileImage } from '../../analysis/patch/index.ts'
import { confine } from './confine.ts'
import type { FileOwner } from './file-operations.ts'
import { maxFileBytes, readBytes, type FileBytes } from './read-bytes.ts'

export type CheckedChanges =
  | { readonly kind: 'ready'; readonly changes: ReadyChanges }
  | { readonly kind: 'conflict'; readonly path: string; readonly reason: string }
  | { readonly kind: 'failed'; readonly problem: string }

/** Changes whose files are all what the changes start from. */
export interface ReadyChanges {
  /** Absolute, free of symlinks. */
  readonly root: string
  /** Folders to make first, relative to the root, outer ones first. */
  readonly folders: readonly string[]
  /** Files to delete come last. */
  readonly files: readonly ReadyFile[]
}

export interface ReadyFile extends Pick<ChangedFile, 'path' | 'before' | 'after'> {
  /** The owner of the file, or of the one that is moved here; undefined if it is this process. */
  readonly owner?: FileOwner
}

/** @param root free of symlinks */
export async function checkChanges(root: string, changes: ChangeSet): Promise<CheckedChanges> {
  if (statOrUndefined(root)?.isDirectory() !== true) return failedCheck(`${root} is not a folder`)
  const problem = findPathProblem(changes)
  if (problem !== undefined) return failedCheck(problem)
  const files: ReadyFile[] = []
  for (const change of deletedLast(changes)) {
    const checked = await checkFile(root, change, changes)
    if ('reason' in checked) return { kind: 'conflict', path: change.path, reason: checked.reason }
    if (!isSame(change.before, change.after)) files.push(checked)
  }
  return { kind: 'ready', changes: { root, folders: missingFolders(root, files), files } }
}

function failedCheck(problem: string): CheckedChanges {
  return { kind: 'failed', problem }
}

/** Checked here too, because a wrong path would leave the folder. */
function findPathProblem(changes: ChangeSet): string | undefined {
  const paths = new Set<string>()
  for (const { path } of changes) {
    const parts = path.split('/')
    if (path.includes('\0') || parts.some((part) => part === '' || part === '.' || part === '..'))
      return `the path ${JSON.stringify(path)} is not a plain path below the folder`
    if (paths.has(path)) return `${path} is changed twice`
    paths.add(path)
  }
  const nested = changes.find(({ path }) => foldersAbove(path).some((folder) => paths.has(folder)))
  return nested === undefined ? undefined : `${nested.path} lies below another file of the change`
}

/** Every folder above a path, outer ones first, without the root. */
function foldersAbove(path: string): readonly string[] {
  const folder = dirname(path)
  return folder === '.' ? [] : [...foldersAbove(folder), folder]
}

function isSame(before: FileImage | null, after: FileImage | null): boolean {
  if (before === null || after === null) return before === after
  return before.mode === after.mode && Buffer.compare(before.bytes, after.bytes) === 0
}

function deletedLast(changes: ChangeSet): ChangeSet {
  return [...changes.filter(({ after }) => after !== null), ...changes.filter(({ after }) => after === null)]
}

async function checkFile(
  root: string,
  { path, before, after, movedFrom }: ChangedFile,
  all: ChangeSet,
): Promise<ReadyFile | { readonly reason: string }> {
  const state = await readFileState(root, { path, before, after })
  if (state.kind === 'foreign') return { reason: state.reason }
  if (state.kind === 'after') return { reason: `${path} has changed: it is already what it was to become` }
  const locked = readOnlyProblem({ path, before, after })
  if (locked !== undefined) return { reason: locked }
  const origin = before !== null ? path : all.find((other) => other.path === movedFrom)?.path
  const stats = origin === undefined ? undefined : statOrUndefined(join(root, origin))
  if (before !== null && stats !== undefined && (stats.mode & 0o7777) !== before.mode)
    return { reason: `${path} has changed: its mode is ${octal(stats.mode & 0o7777)} now` }
  return { path, before, after, ...(stats === undefined ? {} : ownerOf(stats)) }
}

/**
 * Why a read-only file must not be changed: somebody has decided that it stays. Its mode alone may always be changed.
 * @returns undefined if it may be changed
 */
export function readOnlyProblem({ path, before, after }: ChangedFile): string | undefined {
  if (before === null || (before.mode & 0o222) !== 0) return undefined
  const keepsContent = after !== null && Buffer.compare(before.bytes, after.bytes) === 0
  return keepsContent ? undefined : `${path} is read-only (mode ${octal(before.mode)})`
}

function octal(mode: number): string {
  return mode.toString(8)
}

function ownerOf({ uid, gid }: { uid: number; gid: number }): { readonly owner?: FileOwner } {
  const isOurs = uid === process.geteuid?.() && gid === process.getegid?.()
  return isOurs ? {} : { owner: { userId: uid, groupId: gid } }
}

function missingFolders(root: string, files: readonly ReadyFile[]): readonly string[] {
  const folders = new Set(
    files.filter(({ after }) => after !== null).flatMap(({ path }) => foldersAbove(path)),
  )
  return [...folders]
    .sort((one, other) => one.length - other.length)
    .filter((folder) => statOrUndefined(join(root, folder)) === undefined)
}

function statOrUndefined(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

export type FileState =
  | { readonly kind: 'before' | 'after' }
  /** Another process has changed the file, or replaced something above it. One sentence that names it. */
  | { readonly kind: 'foreign'; readonly reason: string }

/** On which side of its change a file is now. The mode only counts if the content is the same on both sides. */
export async function readFileState(root: string, file: ReadyFile): Promise<FileState> {
  const moved = await findLinkProblem(root, file.path)
  if (moved !== undefined) return { kind: 'foreign', reason: moved }
  const lengths = [file.before?.bytes.length ?? 0, file.after?.bytes.length ?? 0]
  const now = await readBytes(join(root, file.path), Math.max(...lengths, maxFileBytes))
  const [isBefore, isAfter] = [holds(now, file.before), holds(now, file.after)]
  if (isBefore && isAfter) return sideByMode(now, file)
  if (isBefore || isAfter) return { kind: isBefore ? 'before' : 'after' }
  return { kind: 'foreign', reason: describeForeign(now, file) }
}

/** Why a path must not be used: a symlink has come in its way. @returns undefined if it leads where it did */
export async function findLinkProblem(root: string, path: string): Promise<string | undefined> {
  const confined = await confine(root, path)
  if (confined.kind === 'outside') return confined.reason
  if (confined.absolute === join(root, path)) return undefined
  return `the path ${JSON.stringify(path)} is or goes through a symlink now, and leads to ${confined.absolute}`
}

function holds(now: FileBytes, image: FileImage | null): boolean {
  if (image === null) return now.kind === 'missing'
  return now.kind === 'file' && now.bytes.equals(image.bytes)
}

function sideByMode(now: FileBytes, { path, before, after }: ReadyFile): FileState {
  const mode = now.kind === 'file' ? now.mode : undefined
  if (mode === before?.mode) return { kind: 'before' }
  if (mode === after?.mode) return { kind: 'after' }
  return { kind: 'foreign', reason: `${path} has another mode now` }
}

function describeForeign(now: FileBytes, { path, before }: ReadyFile): string {
  if (now.kind === 'missing') return `${path} is gone`
  if (now.kind === 'unreadable') return `${path} has changed: it ${now.problem}`
  return before === null ? `${path} has been created by somebody else` : `${path} has changed`
}
