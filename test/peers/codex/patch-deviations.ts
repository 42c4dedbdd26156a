/** Where donecheck leaves other files behind than the reference, or refuses what that one applies, and why. */
import { posix } from 'node:path'
import {
  oldLinesOf,
  parsePatch,
  type Chunk,
  type ChunkLine,
  type Hunk,
  type PatchProblemKind,
} from '@donecheck/engine/internal/analysis/patch'
import type { StrictRun } from './patch-strict.ts'
import type { TreeLook } from './patch-runs.ts'

export const deviations = {
  'self-move': 'a file that is moved onto itself is kept; the reference deletes it',
  'addition-at-context': 'lines that are only added stand below their @@; the reference puts them at the end',
  forgiven:
    'where white space or look-alikes are forgiven, an exact place in all that follows goes before them, and so does the block of the @@',
  'shared-lines': 'all chunks are placed in the file as it was: one may remove a line that another keeps',
  'byte-order-mark': 'it belongs to the encoding, not to the first line',
} as const

export type Deviation = keyof typeof deviations

/** What may come out otherwise, line ends and modes apart, where both apply the patch. */
export function deviationsIn(patch: string, { notes }: StrictRun): ReadonlySet<Deviation> {
  const found = new Set<Deviation>()
  if (notes.some((note) => note.includes('differs from line'))) found.add('forgiven')
  if (patch.includes('\ufeff')) found.add('byte-order-mark')
  for (const hunk of hunksOf(patch)) {
    if (isSelfMove(hunk)) found.add('self-move')
    if (chunksOf(hunk).some(addsAtContext)) found.add('addition-at-context')
    if (sharesLines(chunksOf(hunk))) found.add('shared-lines')
  }
  return found
}

/** Why the strict mode may refuse what the reference applies. */
export const refusals: Readonly<Partial<Record<PatchProblemKind, string>>> = {
  ambiguous: 'the reference takes the first of several places',
  'existing-file': 'the reference overwrites it',
  'bad-path': 'the reference leaves the folder',
  'refused-file': 'the reference follows links, and works around folders',
  contradiction: 'the reference takes one chunk after the other',
  'not-found':
    'the reference does without a blank line that ends the old lines, and takes a byte order mark for text',
}

/** Whether what is not found may be a line that only the reference finds, or does without. */
export function mayMiss(patch: string): boolean {
  return mayMissBlankLine(patch) || patch.includes('\ufeff')
}

function mayMissBlankLine(patch: string): boolean {
  return hunksOf(patch)
    .flatMap(chunksOf)
    .some((chunk) => oldLinesOf(chunk).at(-1) === '')
}

function hunksOf(patch: string): readonly Hunk[] {
  const parsed = parsePatch(patch)
  return parsed.kind === 'patch' ? parsed.hunks : []
}

function chunksOf(hunk: Hunk): readonly Chunk[] {
  return hunk.kind === 'update' ? hunk.chunks : []
}

function isSelfMove(hunk: Hunk): boolean {
  if (hunk.kind !== 'update' || hunk.moveTo === undefined) return false
  return posix.join('/w', hunk.path) === posix.join('/w', hunk.moveTo)
}

function sharesLines(chunks: readonly Chunk[]): boolean {
  const textsOf = (chunk: Chunk, kind: ChunkLine['kind']) =>
    chunk.lines.filter((line) => line.kind === kind).map(({ text }) => text)
  return chunks.some((one) => {
    const removed = new Set(textsOf(one, 'removed'))
    return chunks.some(
      (other) => other !== one && textsOf(other, 'context').some((text) => removed.has(text)),
    )
  })
}

function addsAtContext({ contexts, lines }: Chunk): boolean {
  return contexts.length > 0 && lines.every(({ kind }) => kind === 'added')
}

/**
 * Without modes of files and ends of lines: in the strict mode a move keeps the mode, new lines end as their neighbours do,
 * and a missing final newline stays missing.
 */
export function plainTree(tree: TreeLook): TreeLook {
  return Object.fromEntries(
    Object.entries(tree).map(([path, entry]) => {
      const content = /^file \d+ ([^]*)$/.exec(entry)?.[1]
      if (content === undefined) return [path, entry]
      const ended = content.replace(/\r\n|\r/g, '\n').replace(/[^\n]$/, (last) => `${last}\n`)
      return [path, `file ${ended}`]
    }),
  )
}
