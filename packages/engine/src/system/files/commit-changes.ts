import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { lstatSync, type Stats } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { ChangedFile, ChangeSet, FileImage } from '../../analysis/patch/index.ts'
import { codeOf, given, messageOf } from '../../base/index.ts'
import { confine, type FileBytes, maxFileBytes, readBytes, resolveLinks } from './confine.ts'
import { diskOperations, type FileOperations, type FileOwner } from './file-operations.ts'

export type Committed =
  | { readonly kind: 'committed' }
  /** A file differs from what the change starts from. Nothing was written. */
  | { readonly kind: 'conflict'; readonly path: string; readonly reason: string }
  | {
      readonly kind: 'failed'
      readonly problem: string
      /** False if some files may have changed; the problem lists them if known. */
      readonly rolledBack: boolean
    }

/**
 * Changes many files, all or none: stages new contents next to their targets, renames them, then deletes. A
 * failed step rolls back; a killed process may leave it half done, and the earlier stored tree recovers it.
 * Replaces files, so hard links keep the old content. Nothing is flushed: a power loss may lose the latest
 * changes. Changes of one folder are serialized within the process.
 */
export async function commitChanges(
  root: string,
  changes: ChangeSet,
  { operations = diskOperations }: { readonly operations?: FileOperations } = {},
): Promise<Committed> {
  const resolved = await resolveLinks(resolve(root))
  if (resolved.kind === 'failed') return refuseCommit(`the folder cannot be entered: ${resolved.problem}`)
  return oneAtATime(resolved.path, async () => {
    const checked = await checkChanges(resolved.path, changes)
    if (checked.kind === 'failed') return refuseCommit(checked.problem)
    return checked.kind === 'conflict' ? checked : new Commit(checked.changes, operations).run()
  })
}

function refuseCommit(problem: string): Committed {
  return { kind: 'failed', problem, rolledBack: true }
}

const latestByFolder = new Map<string, Promise<unknown>>()

async function oneAtATime<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const turn = (latestByFolder.get(folder) ?? Promise.resolve()).then(work, work)
  latestByFolder.set(folder, turn)
  try {
    return await turn
  } finally {
    if (latestByFolder.get(folder) === turn) latestByFolder.delete(folder)
  }
}

class Commit {
  readonly #changes: ReadyChanges
  readonly #operations: FileOperations
  readonly #id = randomUUID()
  /** Files that may no longer be what they were. */
  readonly #touched: ReadyFile[] = []

  constructor(changes: ReadyChanges, operations: FileOperations) {
    this.#changes = changes
    this.#operations = operations
  }

  async run(): Promise<Committed> {
    try {
      await this.#carryOut()
      return { kind: 'committed' }
    } catch (error) {
      return this.#takeBack(messageOf(error))
    }
  }

  async #carryOut(): Promise<void> {
    const { files, folders } = this.#changes
    for (const folder of folders) await this.#makeFolder(folder)
    for (const file of files) await this.#stage(file, file.after)
    for (const file of files) {
      await this.#assertUntouched(file)
      this.#touched.push(file)
      if (file.after === null) this.#operations.removeFile(this.#absolute(file.path))
      else this.#place(file)
    }
  }

  async #takeBack(problem: string): Promise<Committed> {
    try {
      for (const file of this.#changes.files) await this.#removeStaged(file)
      const foreign: string[] = []
      for (const file of this.#touched.toReversed()) {
        const state = await readFileState(this.#changes.root, file)
        if (state.kind === 'foreign') foreign.push(file.path)
        if (state.kind === 'after') await this.#putBack(file)
      }
      for (const folder of this.#changes.folders.toReversed()) await this.#removeIfEmpty(folder)
      if (foreign.length === 0) return { kind: 'failed', problem, rolledBack: true }
      const reported = `${problem}; changed by another process meanwhile, and left alone: ${foreign.join(', ')}`
      return { kind: 'failed', problem: reported, rolledBack: false }
    } catch (error) {
      return { kind: 'failed', problem: `${problem}; taking it back: ${messageOf(error)}`, rolledBack: false }
    }
  }

  async #putBack(file: ReadyFile): Promise<void> {
    if (file.before === null) this.#operations.removeFile(this.#absolute(file.path))
    else {
      await this.#stage(file, file.before)
      this.#place(file)
    }
  }

  async #stage(file: ReadyFile, image: FileImage | null): Promise<void> {
    if (image === null) return
    const path = this.#staged(file)
    await this.#assertInPlace(path)
    this.#operations.writeNew(this.#absolute(path), { ...image, ...given({ owner: file.owner }) })
  }

  #place(file: ReadyFile): void {
    this.#operations.rename(this.#absolute(this.#staged(file)), this.#absolute(file.path))
  }

  async #removeStaged(file: ReadyFile): Promise<void> {
    const path = this.#staged(file)
    if (await this.#isThere(path)) this.#operations.removeFile(this.#absolute(path))
  }

  async #makeFolder(folder: string): Promise<void> {
    await this.#assertInPlace(folder)
    try {
      this.#operations.makeFolder(this.#absolute(folder))
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
  }

  async #removeIfEmpty(folder: string): Promise<void> {
    if (!(await this.#isThere(folder))) return
    try {
      this.#operations.removeFolder(this.#absolute(folder))
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) throw error
    }
  }

  async #assertUntouched(file: ReadyFile): Promise<void> {
    const state = await readFileState(this.#changes.root, file)
    if (state.kind === 'before') return
    const reason = state.kind === 'foreign' ? state.reason : `${file.path} has changed`
    throw new Error(`${reason} meanwhile`)
  }

  async #assertInPlace(path: string): Promise<void> {
    const moved = await findLinkProblem(this.#changes.root, path)
    if (moved !== undefined) throw new Error(moved)
  }

  /** Ignores what a symlink hides: this commit did not write it. */
  async #isThere(path: string): Promise<boolean> {
    const isOurs = (await findLinkProblem(this.#changes.root, path)) === undefined
    return isOurs && lstatSync(this.#absolute(path), { throwIfNoEntry: false }) !== undefined
  }

  #staged(file: ReadyFile): string {
    return join(dirname(file.path), `.donecheck-${this.#id}-${this.#changes.files.indexOf(file)}.tmp`)
  }

  #absolute(path: string): string {
    return join(this.#changes.root, path)
  }
}

type CheckedChanges =
  | { readonly kind: 'ready'; readonly changes: ReadyChanges }
  | { readonly kind: 'conflict'; readonly path: string; readonly reason: string }
  | { readonly kind: 'failed'; readonly problem: string }

interface ReadyChanges {
  /** Absolute, free of symlinks. */
  readonly root: string
  /** Folders to make first, relative to the root, outer ones before inner ones. */
  readonly folders: readonly string[]
  /** Files to delete come last. */
  readonly files: readonly ReadyFile[]
}

interface ReadyFile extends Pick<ChangedFile, 'path' | 'before' | 'after'> {
  /** Owner of the file or of its source; undefined for this process. */
  readonly owner?: FileOwner
}

/** @param root free of symlinks */
async function checkChanges(root: string, changes: ChangeSet): Promise<CheckedChanges> {
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

/** Refuses content changes of a read-only file; its mode may change. @returns undefined if allowed */
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

type FileState =
  | { readonly kind: 'before' | 'after' }
  /** Another process changed the file or a parent. One sentence that names it. */
  | { readonly kind: 'foreign'; readonly reason: string }

/** Tells which side of its change a file is on. The mode only counts for equal content. */
async function readFileState(root: string, file: ReadyFile): Promise<FileState> {
  const moved = await findLinkProblem(root, file.path)
  if (moved !== undefined) return { kind: 'foreign', reason: moved }
  const lengths = [file.before?.bytes.length ?? 0, file.after?.bytes.length ?? 0]
  const now = await readBytes(join(root, file.path), Math.max(...lengths, maxFileBytes))
  const [isBefore, isAfter] = [holds(now, file.before), holds(now, file.after)]
  if (isBefore && isAfter) return sideByMode(now, file)
  if (isBefore || isAfter) return { kind: isBefore ? 'before' : 'after' }
  return { kind: 'foreign', reason: describeForeign(now, file) }
}

/** Refuses a path on which a symlink has appeared. @returns undefined if it is unchanged */
async function findLinkProblem(root: string, path: string): Promise<string | undefined> {
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
