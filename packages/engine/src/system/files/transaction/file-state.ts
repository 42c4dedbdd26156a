import type { FileImage } from '../../../analysis/patch/index.ts'
import { confine } from '../confine.ts'
import { maxFileBytes, readBytes, type FileBytes } from '../read-bytes.ts'
import { absoluteOf, type Transaction, type TransactionFile } from './transaction.ts'

export type FileState =
  | { readonly kind: 'before' | 'after' }
  /** Neither: somebody else has changed it, or put something else in its way. One sentence that names it. */
  | { readonly kind: 'foreign'; readonly reason: string }

/** On which side of its change a file is now. The mode only counts where the content is the same on both. */
export async function readFileState(transaction: Transaction, file: TransactionFile): Promise<FileState> {
  const moved = await linkProblemOf(transaction, file.path)
  if (moved !== undefined) return { kind: 'foreign', reason: moved }
  const [before, after] = [file.before?.bytes.length ?? 0, file.after?.bytes.length ?? 0]
  const longest = Math.max(before, after, maxFileBytes)
  const now = await readBytes(absoluteOf(transaction, file.path), longest)
  const [isBefore, isAfter] = [holds(now, file.before), holds(now, file.after)]
  if (isBefore && isAfter) return sideOfMode(now, file)
  if (isBefore || isAfter) return { kind: isBefore ? 'before' : 'after' }
  return { kind: 'foreign', reason: strangeness(now, file) }
}

/** Why a path of a transaction may not be touched: a symlink was put in its way. Undefined: it leads where it did. */
export async function linkProblemOf(transaction: Transaction, path: string): Promise<string | undefined> {
  const confined = await confine(transaction.root, path)
  if (confined.kind === 'outside') return confined.reason
  if (confined.absolute === absoluteOf(transaction, path)) return undefined
  return `the path ${JSON.stringify(path)} is or goes through a symlink now, and leads to ${confined.absolute}`
}

function holds(now: FileBytes, image: FileImage | null): boolean {
  if (image === null) return now.kind === 'missing'
  return now.kind === 'file' && now.bytes.equals(image.bytes)
}

function sideOfMode(now: FileBytes, { path, before, after }: TransactionFile): FileState {
  const mode = now.kind === 'file' ? now.mode : undefined
  if (mode === before?.mode) return { kind: 'before' }
  if (mode === after?.mode) return { kind: 'after' }
  return { kind: 'foreign', reason: `${path} has another mode now` }
}

function strangeness(now: FileBytes, { path, before }: TransactionFile): string {
  if (now.kind === 'missing') return `${path} is gone`
  if (now.kind === 'unreadable') return `${path} has changed: it ${now.problem}`
  return before === null ? `${path} has been created by somebody else` : `${path} has changed`
}
