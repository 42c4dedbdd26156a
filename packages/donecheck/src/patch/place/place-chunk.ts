import type { Chunk, ChunkLine } from '../hunk.ts'
import { lineSeeker, type Likeness, type Place } from '../seek.ts'
import type { PlacedChunk } from './placed-chunk.ts'
import { scopesOf, touching, type Scope } from './scopes.ts'
import type { SoughtFile } from './sought-file.ts'

/** Where the lines of a chunk stand, before it is asked whether that is clear. */
export type Candidates =
  | { readonly kind: 'places'; readonly places: readonly PlacedChunk[]; readonly likeness: Likeness }
  | { readonly kind: 'context-not-found'; readonly text: string; readonly line: number }
  /** `elsewhere`: they stand in the file, but not below the `@@` of the chunk. */
  | { readonly kind: 'not-found'; readonly elsewhere: readonly number[] }

/** In more blocks than this, white space and look-alike characters are not forgiven: it would take too long. */
const mostScopesSearched = 32

/**
 * Every place that the chunk may mean. Its `@@` lines choose among them: a place in the block that they open goes before one
 * further down. An addition without old lines stands below its `@@`, and without one at the end of the file.
 */
export function candidatesOf(file: SoughtFile, chunk: Chunk): Candidates {
  const scoped = scopesOf(file, chunk.contexts)
  if (scoped.kind === 'not-found') {
    const { text, line } = scoped.context
    return { kind: 'context-not-found', text, line }
  }
  const { scopes } = scoped
  const isAddition = chunk.lines.every(({ kind }) => kind === 'added')
  if (!isAddition) {
    const found = placesIn(file, chunk, chunk.lines, scopes)
    const isFound = found.kind !== 'not-found' || found.elsewhere.length > 0
    const shorter = isFound ? undefined : withoutLastBlank(chunk.lines)
    const result = shorter === undefined ? found : placesIn(file, chunk, shorter, scopes)
    return result.kind === 'places' && result.likeness === 'exact'
      ? { ...result, likeness: scoped.likeness }
      : result
  }
  const isAtEnd = chunk.isEndOfFile || chunk.contexts.length === 0
  const starts = isAtEnd ? [file.lines.length] : scopes.map(({ start }) => start + 1)
  const places = starts.map((start) => ({ start, lines: chunk.lines, line: chunk.line }))
  return { kind: 'places', places, likeness: scoped.likeness }
}

function placesIn(
  file: SoughtFile,
  chunk: Chunk,
  lines: readonly ChunkLine[],
  scopes: readonly Scope[],
): Candidates {
  const old = lines.filter(({ kind }) => kind !== 'added').map(({ text }) => text)
  if (old.length === 0) return { kind: 'not-found', elsewhere: [] }
  const atEnd =
    chunk.isEndOfFile || lines.some(({ kind, isUnterminated }) => kind !== 'added' && isUnterminated)
  const found = file.places(old, { atEnd })
  const chosen = chosenOf(file, chunk, found, old, scopes, atEnd)
  if (chosen.length === 0) return { kind: 'not-found', elsewhere: found.map(({ index }) => index) }
  const places = chosen.map(({ index }) => ({ start: index, lines, line: chunk.line }))
  return { kind: 'places', places, likeness: chosen[0]?.likeness ?? 'exact' }
}

function chosenOf(
  file: SoughtFile,
  chunk: Chunk,
  found: readonly Place[],
  old: readonly string[],
  scopes: readonly Scope[],
  atEnd: boolean,
): readonly Place[] {
  if (chunk.contexts.length === 0) return found
  const inside = new Set(
    touching(
      scopes,
      found.map(({ index }) => index),
      old.length,
    ),
  )
  if (inside.size > 0) return found.filter(({ index }) => inside.has(index))
  const alike = found.length > 0 && !atEnd ? alikeInside(file, old, scopes) : []
  if (alike.length > 0) return alike
  const first = scopes[0]?.start ?? 0
  return found.filter(({ index }) => index >= first)
}

/** An exact place elsewhere hides one in the block that differs in white space. */
function alikeInside(file: SoughtFile, old: readonly string[], scopes: readonly Scope[]): readonly Place[] {
  if (scopes.length > mostScopesSearched) return []
  const places = scopes.flatMap(({ start, end }) =>
    lineSeeker(file.texts.slice(start, end))
      .places(old)
      .map(({ index, likeness }) => ({ index: start + index, likeness })),
  )
  return [...new Map(places.map((place) => [place.index, place])).values()]
}

/** A blank line at the end of a chunk is often only the gap to the next header. */
function withoutLastBlank(lines: readonly ChunkLine[]): readonly ChunkLine[] | undefined {
  const last = lines.at(-1)
  return last?.kind === 'context' && last.text === '' ? lines.slice(0, -1) : undefined
}
