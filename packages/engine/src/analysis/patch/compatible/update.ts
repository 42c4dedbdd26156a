import { joinLines, splitLines, type FileLine, type LineEnd } from '../text-file.ts'
import { oldLinesOf, type Chunk, type ChunkLine } from '../hunk.ts'
import { runsOf, type Run } from '../place/change-text.ts'
import { soughtFile, type SoughtFile } from '../place/sought-file.ts'

export type Updated =
  | { readonly kind: 'updated'; readonly content: string }
  | { readonly kind: 'failed'; readonly message: string }

type Found =
  | { readonly kind: 'found'; readonly runs: readonly Run[]; readonly cursor: number }
  | { readonly kind: 'failed'; readonly message: string }

/**
 * The content after all chunks, as the reference computes it: each chunk is sought behind the one before, the first of
 * several places is taken, and one that only adds goes to the end of the file.
 * @param path absolute, for messages
 */
export function updateContent(content: string, chunks: readonly Chunk[], path: string): Updated {
  const file = soughtFile(path, splitLines(content, 'end'), { left: Infinity })
  const runs: (readonly Run[])[] = []
  let cursor = 0
  for (const chunk of chunks) {
    const found = findChunk(chunk, file, cursor)
    if (found.kind === 'failed') return found
    runs.push(found.runs)
    cursor = found.cursor
  }
  return { kind: 'updated', content: replaceLines(file.lines, runs.flat()) }
}

function findChunk(chunk: Chunk, file: SoughtFile, from: number): Found {
  const { path } = file
  const { line } = chunk
  const context = chunk.contexts[0]?.text
  const outer = context === undefined ? undefined : file.places([context], { from })[0]
  if (context !== undefined && outer === undefined)
    return { kind: 'failed', message: `Failed to find context '${context}' in ${path}` }
  const cursor = outer === undefined ? from : outer.index + 1
  const oldLines = oldLinesOf(chunk)
  if (oldLines.length === 0)
    return { kind: 'found', runs: runsOf({ start: file.lines.length, lines: chunk.lines, line }), cursor }
  for (const tried of [chunk, withoutLastBlank(chunk)]) {
    if (tried === undefined) continue
    const pattern = oldLinesOf(tried)
    const start =
      pattern.length === 0
        ? cursor
        : file.places(pattern, { from: cursor, atEnd: chunk.isEndOfFile })[0]?.index
    if (start === undefined) continue
    return {
      kind: 'found',
      runs: runsOf({ start, lines: tried.lines, line }),
      cursor: start + pattern.length,
    }
  }
  return { kind: 'failed', message: `Failed to find expected lines in ${path}:\n${oldLines.join('\n')}` }
}

/** New lines end as the first line of the file does, and so does every line that has no end yet. */
function replaceLines(lines: readonly FileLine[], runs: readonly Run[]): string {
  const first = lines[0]?.end ?? ''
  const end: LineEnd = first === '' ? '\n' : first
  const parts: (readonly FileLine[])[] = []
  let next = 0
  for (const { start, count, added } of runs.toSorted((one, other) => one.start - other.start)) {
    parts.push(
      lines.slice(next, start),
      added.map(({ text }) => ({ text, end })),
    )
    next = start + count
  }
  parts.push(lines.slice(next))
  return joinLines(parts.flat().map((line) => (line.end === '' ? { ...line, end } : line)))
}

/**
 * The same chunk without the blank line that ends its old lines: models write one where the file ends. As context it
 * counts as added then. A blank line that ends the new lines goes as well: as context it counts as removed then.
 * @returns undefined: the old lines do not end with a blank line
 */
function withoutLastBlank(chunk: Chunk): Chunk | undefined {
  const lastOld = chunk.lines.findLastIndex(({ kind }) => kind !== 'added')
  if (chunk.lines[lastOld]?.text !== '') return undefined
  const lines = withoutSide(chunk.lines, lastOld, 'removed')
  const lastNew = lines.findLastIndex(({ kind }) => kind !== 'removed')
  return { ...chunk, lines: lines[lastNew]?.text === '' ? withoutSide(lines, lastNew, 'added') : lines }
}

/** The line at the index is no longer removed, or no longer added; a context line is both. */
function withoutSide(
  lines: readonly ChunkLine[],
  index: number,
  side: 'removed' | 'added',
): readonly ChunkLine[] {
  const line = lines[index]
  if (line?.kind !== 'context') return lines.toSpliced(index, 1)
  return lines.with(index, { ...line, kind: side === 'removed' ? 'added' : 'removed' })
}
