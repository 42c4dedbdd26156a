import type { Chunk, ChunkLine } from '../hunk.ts'
import { scopesOf, touching, type Scope } from './scopes.ts'
import type { Likeness, Place, SoughtFile } from './sought-file.ts'
import type { LineEnd } from '../text-file.ts'

/** Where the lines of a chunk stand, before it is asked whether that is clear. */
export type Candidates =
  | { readonly kind: 'places'; readonly places: readonly PlacedChunk[]; readonly likeness: Likeness }
  | { readonly kind: 'context-not-found'; readonly text: string; readonly line: number }
  /** `elsewhere`: they stand in the file, but not below the `@@` of the chunk. */
  | { readonly kind: 'not-found'; readonly elsewhere: readonly number[] }
  /** They stand in the file, but only before what the chunks before this one change. */
  | { readonly kind: 'out-of-order'; readonly starts: readonly number[] }

/** How far in the file the chunks before have come, counted from 0. */
export interface Reached {
  /** The first line behind their last line that goes or comes. */
  readonly changed: number
  /** The first line behind all that they name. */
  readonly named: number
}

/** In more blocks than this, white space and look-alike characters are not forgiven: it would take too long. */
const maxScopesSearched = 32

/**
 * Every place that the chunk may mean, behind the chunks before it; lines that those only name as context may be shared. Its `@@`
 * lines choose among them: a place in the block that they open goes before one further down. An addition without old lines stands
 * below its `@@`, and without one at the end of the file.
 */
export function candidatesOf(file: SoughtFile, chunk: Chunk, { changed, named }: Reached): Candidates {
  const behind = candidatesFrom(file, chunk, named)
  if (behind.kind === 'places' || named === 0) return behind
  const shared = changed === named ? behind : candidatesFrom(file, chunk, changed)
  if (shared.kind === 'places' || changed === 0) return shared
  const anywhere = candidatesFrom(file, chunk, 0)
  if (anywhere.kind !== 'places') return anywhere
  return { kind: 'out-of-order', starts: anywhere.places.map(({ start }) => start) }
}

function candidatesFrom(file: SoughtFile, chunk: Chunk, from: number): Candidates {
  const scoped = scopesOf(file, chunk.contexts)
  if (scoped.kind === 'not-found') {
    const { text, line } = scoped.context
    return { kind: 'context-not-found', text, line }
  }
  const { scopes } = scoped
  const isAddition = chunk.lines.every(({ kind }) => kind === 'added')
  if (!isAddition) {
    const found = placesIn(file, chunk, chunk.lines, scopes, from)
    const isFound = found.kind !== 'not-found' || found.elsewhere.length > 0
    const shorter = isFound ? undefined : withoutLastBlank(chunk.lines)
    const result = shorter === undefined ? found : placesIn(file, chunk, shorter, scopes, from)
    return result.kind === 'places' && result.likeness === 'exact'
      ? { ...result, likeness: scoped.likeness }
      : result
  }
  const isAtEnd = chunk.isEndOfFile || chunk.contexts.length === 0
  const below = scopes.map(({ start }) => start + 1).filter((start) => start >= from)
  const starts = isAtEnd ? [file.lines.length] : below
  if (starts.length === 0) return { kind: 'not-found', elsewhere: [] }
  const places = starts.map((start) => ({ start, lines: chunk.lines, line: chunk.line }))
  return { kind: 'places', places, likeness: scoped.likeness }
}

function placesIn(
  file: SoughtFile,
  chunk: Chunk,
  lines: readonly ChunkLine[],
  scopes: readonly Scope[],
  from: number,
): Candidates {
  const old = lines.filter(({ kind }) => kind !== 'added').map(({ text }) => text)
  if (old.length === 0) return additionBehind(file, chunk, lines, from)
  const atEnd =
    chunk.isEndOfFile || lines.some(({ kind, isUnterminated }) => kind !== 'added' && isUnterminated)
  const found = file.places(old, { atEnd, from })
  const indexes = found.map(({ index }) => index)
  const inside = new Set(touching(scopes, indexes, old.length))
  const near = chunk.contexts.length === 0 ? found : found.filter(({ index }) => inside.has(index))
  const isElsewhere = near.length === 0 && found.length > 0
  const alike = isElsewhere && !atEnd ? alikeInside(file, old, scopes, from) : []
  const below = found.filter(({ index }) => index >= (scopes[0]?.start ?? 0))
  const chosen = [near, alike, below].find((places) => places.length > 0) ?? []
  if (chosen.length === 0) return { kind: 'not-found', elsewhere: indexes }
  const places = chosen.map(({ index }) => ({ start: index, lines, line: chunk.line }))
  return { kind: 'places', places, likeness: chosen[0]?.likeness ?? 'exact' }
}

/** Lines that are only added, but for a blank one that the file does not have: clear where the chunk before ends with the file. */
function additionBehind(
  file: SoughtFile,
  { contexts, line }: Chunk,
  lines: readonly ChunkLine[],
  from: number,
): Candidates {
  if (contexts.length > 0 || from !== file.lines.length) return { kind: 'not-found', elsewhere: [] }
  return { kind: 'places', places: [{ start: from, lines, line }], likeness: 'exact' }
}

/** An exact place elsewhere hides one in the block that differs in white space. */
function alikeInside(
  file: SoughtFile,
  old: readonly string[],
  scopes: readonly Scope[],
  from: number,
): readonly Place[] {
  if (scopes.length > maxScopesSearched) return []
  const places = scopes.flatMap(({ start, end }) =>
    file.places(old, { from: start, until: end }).filter(({ index }) => index >= from),
  )
  return [...new Map(places.map((place) => [place.index, place])).values()]
}

/** A blank line at the end of a chunk is often only the gap to the next header. */
function withoutLastBlank(lines: readonly ChunkLine[]): readonly ChunkLine[] | undefined {
  const last = lines.at(-1)
  return last?.kind === 'context' && last.text === '' ? lines.slice(0, -1) : undefined
}

export interface PlacedLine {
  readonly kind: 'context' | 'removed' | 'added'
  readonly text: string
  /** Of an added line; absent: that of its neighbours. */
  readonly end?: LineEnd
  readonly isUnterminated?: true
}

/** A chunk at the one place that it means. */
export interface PlacedChunk {
  /** The line of the file, counted from 0, at which its first old line stands, or before which it adds. */
  readonly start: number
  readonly lines: readonly PlacedLine[]
  /** In the patch, counted from 1. */
  readonly line: number
}
