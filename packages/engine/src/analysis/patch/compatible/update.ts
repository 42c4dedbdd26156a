import { joinLines, splitLines, type FileLine, type LineEnd } from '../text/file-lines.ts'
import { newLinesOf, oldLinesOf, type Chunk } from '../hunk.ts'
import { lineSeeker, type LineSeeker } from '../seek.ts'
import { replacementsOf, withoutLastBlank, type Replacement } from './replacements.ts'

export type Updated =
  | { readonly kind: 'updated'; readonly content: string }
  | { readonly kind: 'failed'; readonly message: string }

type Found =
  | { readonly kind: 'found'; readonly replacements: readonly Replacement[]; readonly cursor: number }
  | { readonly kind: 'failed'; readonly message: string }

/**
 * The content after all chunks, as the reference computes it: each chunk is sought behind the one before, the first of
 * several places is taken, and one that only adds goes to the end of the file.
 * @param path absolute, for messages
 */
export function updateContent(content: string, chunks: readonly Chunk[], path: string): Updated {
  const lines = splitLines(content, 'end')
  const seeker = lineSeeker(lines.map(({ text }) => text))
  const replacements: (readonly Replacement[])[] = []
  let cursor = 0
  for (const chunk of chunks) {
    const found = findChunk(chunk, { seeker, cursor, end: lines.length, path })
    if (found.kind === 'failed') return found
    replacements.push(found.replacements)
    cursor = found.cursor
  }
  return { kind: 'updated', content: replaceLines(lines, replacements.flat()) }
}

interface Search {
  readonly seeker: LineSeeker
  readonly cursor: number
  readonly end: number
  readonly path: string
}

function findChunk(chunk: Chunk, search: Search): Found {
  const { seeker, end, path } = search
  const context = chunk.contexts[0]?.text
  const outer = context === undefined ? undefined : seeker.seek([context], { from: search.cursor })
  if (context !== undefined && outer === undefined)
    return { kind: 'failed', message: `Failed to find context '${context}' in ${path}` }
  const cursor = outer === undefined ? search.cursor : outer.index + 1
  const oldLines = oldLinesOf(chunk)
  if (oldLines.length === 0)
    return { kind: 'found', replacements: [{ index: end, count: 0, added: newLinesOf(chunk) }], cursor }
  for (const tried of [chunk, withoutLastBlank(chunk)]) {
    if (tried === undefined) continue
    const pattern = oldLinesOf(tried)
    const isNothing = pattern.length === 0
    const place = isNothing
      ? { index: cursor }
      : seeker.seek(pattern, { from: cursor, atEnd: chunk.isEndOfFile })
    if (place === undefined) continue
    const { index } = place
    return { kind: 'found', replacements: replacementsOf(tried, index), cursor: index + pattern.length }
  }
  return { kind: 'failed', message: `Failed to find expected lines in ${path}:\n${oldLines.join('\n')}` }
}

/** New lines end as the first line of the file does, and so does every line that has no end yet. */
function replaceLines(lines: readonly FileLine[], replacements: readonly Replacement[]): string {
  const first = lines[0]?.end ?? ''
  const end: LineEnd = first === '' ? '\n' : first
  const parts: (readonly FileLine[])[] = []
  let next = 0
  for (const { index, count, added } of replacements.toSorted((one, other) => one.index - other.index)) {
    parts.push(
      lines.slice(next, index),
      added.map((text) => ({ text, end })),
    )
    next = index + count
  }
  parts.push(lines.slice(next))
  return joinLines(parts.flat().map((line) => (line.end === '' ? { ...line, end } : line)))
}
