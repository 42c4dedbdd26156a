import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { lstatSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import type { ChangedFile, ChangeSet, FileImage } from '../../../analysis/patch/index.ts'
import { resolveLinks } from '../resolve-links.ts'
import { readFileState } from './file-state.ts'
import type { FileOwner } from './operations.ts'
import { absoluteOf, parentsOf, type Transaction, type TransactionFile } from './transaction.ts'

export type CheckedChanges =
  | { readonly kind: 'ready'; readonly transaction: Transaction }
  | { readonly kind: 'conflict'; readonly path: string; readonly reason: string }
  | { readonly kind: 'failed'; readonly problem: string }

/** Whether every file is what its change starts from. Those that stay as they are, are only looked at. */
export async function checkChanges(root: string, changes: ChangeSet): Promise<CheckedChanges> {
  const resolved = await resolveLinks(root)
  if (resolved.kind === 'failed') return failedCheck(`the folder cannot be entered: ${resolved.problem}`)
  if (statOrUndefined(resolved.path)?.isDirectory() !== true) return failedCheck(`${root} is not a folder`)
  const problem = problemOfPaths(changes)
  if (problem !== undefined) return failedCheck(problem)
  const bare = { id: randomUUID(), root: resolved.path, folders: [], files: [] }
  const files: TransactionFile[] = []
  for (const file of deletedLast(changes)) {
    const checked = await checkFile(bare, file, changes)
    if ('reason' in checked) return { kind: 'conflict', path: file.path, reason: checked.reason }
    if (!isSame(file.before, file.after)) files.push(checked)
  }
  const folders = missingFolders(resolved.path, files)
  return { kind: 'ready', transaction: { ...bare, folders, files } }
}

function failedCheck(problem: string): CheckedChanges {
  return { kind: 'failed', problem }
}

/** Whatever made the set has to keep to this; it is looked at again since a wrong path would leave the folder. */
function problemOfPaths(changes: ChangeSet): string | undefined {
  const paths = new Set<string>()
  for (const { path } of changes) {
    const parts = path.split('/')
    if (path.includes('\0') || parts.some((part) => part === '' || part === '.' || part === '..'))
      return `the path ${JSON.stringify(path)} is not a plain path below the folder`
    if (paths.has(path)) return `${path} is changed twice`
    paths.add(path)
  }
  const nested = changes.find(({ path }) => parentsOf(path).some((parent) => paths.has(parent)))
  return nested === undefined ? undefined : `${nested.path} lies below another file of the change`
}

function isSame(before: FileImage | null, after: FileImage | null): boolean {
  if (before === null || after === null) return before === after
  return before.mode === after.mode && Buffer.compare(before.bytes, after.bytes) === 0
}

function deletedLast(changes: ChangeSet): ChangeSet {
  return [...changes.filter(({ after }) => after !== null), ...changes.filter(({ after }) => after === null)]
}

async function checkFile(
  bare: Transaction,
  { path, before, after, movedFrom }: ChangedFile,
  all: ChangeSet,
): Promise<TransactionFile | { readonly reason: string }> {
  const state = await readFileState(bare, { path, before, after })
  if (state.kind === 'foreign') return { reason: state.reason }
  if (state.kind === 'after') return { reason: `${path} has changed: it is already what it was to become` }
  const locked = readOnlyProblem({ path, before, after })
  if (locked !== undefined) return { reason: locked }
  const origin = before !== null ? path : all.find((other) => other.path === movedFrom)?.path
  const seen = origin === undefined ? undefined : statOrUndefined(absoluteOf(bare, origin))
  if (before !== null && seen !== undefined && (seen.mode & 0o7777) !== before.mode)
    return { reason: `${path} has changed: its mode is ${octal(seen.mode & 0o7777)} now` }
  return { path, before, after, ...(seen === undefined ? {} : ownerOf(seen)) }
}

/**
 * Why a change may not be made although it could: the file is read-only, so somebody has said that it stays. Undefined: it
 * may. The mode alone may always be changed.
 */
export function readOnlyProblem({ path, before, after }: ChangedFile): string | undefined {
  if (before === null || (before.mode & 0o222) !== 0) return undefined
  const keepsContent = after !== null && Buffer.compare(before.bytes, after.bytes) === 0
  return keepsContent ? undefined : `${path} is read-only (mode ${octal(before.mode)})`
}

function octal(mode: number): string {
  return mode.toString(8)
}

/** Undefined where it would be the owner anyway. */
function ownerOf({ uid, gid }: { uid: number; gid: number }): { readonly owner?: FileOwner } {
  const isOurs = uid === process.geteuid?.() && gid === process.getegid?.()
  return isOurs ? {} : { owner: { userId: uid, groupId: gid } }
}

/** Folders that have to be made for the files, relative to the root, those above first. @param root free of symlinks */
export function missingFolders(root: string, changes: ChangeSet): readonly string[] {
  const created = changes.filter(({ after }) => after !== null)
  const parents = [...new Set(created.flatMap(({ path }) => parentsOf(path)))]
  return parents
    .sort((one, other) => one.length - other.length)
    .filter((parent) => statOrUndefined(join(root, parent)) === undefined)
}

/** Undefined: it is not there, or nobody may look. */
function statOrUndefined(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}
