import { type Chunk, type ChunkLine, oldLinesOf, type PatchLine } from './patch-text.ts'
import type { Likeness, Place, SoughtFile } from './sought-file.ts'
import type { PatchProblem } from './plan.ts'

export interface PlacedChunk {
  /** Index, from 0, of the first old line, or of the line before which it adds. */
  readonly start: number
  readonly lines: readonly ChunkLine[]
  readonly line: number
}

interface PlacedChunks {
  readonly placed: readonly PlacedChunk[]
  readonly problems: readonly PatchProblem[]
  readonly notes: readonly string[]
}

const maxPlaces = 20

const forgiven: Readonly<Record<Likeness, string | undefined>> = {
  exact: undefined,
  'trailing-space': 'in white space at the ends of lines',
  'surrounding-space': 'in indentation or white space',
  'look-alike': 'in characters that look alike, or in white space',
}

/** From 0. */
interface Reached {
  /** First line after the last changed line. */
  readonly changed: number
  /** First line after the last line it mentions. */
  readonly named: number
}

type Found =
  /** Never empty; several if ambiguous. */
  | {
      readonly kind: 'places'
      readonly places: readonly PlacedChunk[]
      readonly likeness: Likeness
      readonly reached: Reached
    }
  | { readonly kind: 'context-not-found'; readonly context: PatchLine }
  | { readonly kind: 'not-found' }

/** Finds the position of every chunk, in order. Equal chunks may match equally many equal positions. */
export function placeChunks(file: SoughtFile, chunks: readonly Chunk[]): PlacedChunks {
  const placed: PlacedChunk[] = []
  const problems: PatchProblem[] = []
  const notes: string[] = []
  const equalChunks = Map.groupBy(chunks, keyOf)
  let reached: Reached = { changed: 0, named: 0 }
  for (const chunk of chunks) {
    const found = findPlaces(file, chunk, reached)
    if (file.isSpent()) return { placed, problems: [...problems, tooLarge(file, chunk)], notes }
    if (found.kind !== 'places') {
      problems.push(describeMiss(file, chunk, found))
      continue
    }
    const place = choosePlace(found.places, equalChunks, chunk)
    if (place === undefined) {
      problems.push(ambiguous(file.path, found.places, chunk))
      continue
    }
    const difference = forgiven[found.likeness]
    if (difference !== undefined)
      notes.push(
        `${file.path}: the chunk at line ${chunk.line} of the patch differs from line ${place.start + 1} ${difference}`,
      )
    placed.push(place)
    reached = place === found.places[0] ? found.reached : reached
  }
  return { placed, problems, notes }
}

function keyOf({ contexts, lines, isEndOfFile }: Chunk): string {
  return JSON.stringify([
    contexts.map(({ text }) => text),
    lines.map(({ kind, text }) => kind + text),
    isEndOfFile,
  ])
}

function choosePlace(
  places: readonly PlacedChunk[],
  equalChunks: ReadonlyMap<string, readonly Chunk[]>,
  chunk: Chunk,
): PlacedChunk | undefined {
  if (places.length === 1) return places[0]
  const equal = equalChunks.get(keyOf(chunk)) ?? []
  return equal.length - equal.indexOf(chunk) === places.length ? places[0] : undefined
}

/** Searches after all lines of earlier chunks, else after their changed lines: context may be shared. */
function findPlaces(file: SoughtFile, chunk: Chunk, reached: Reached): Found {
  const behind = findFrom(file, chunk, reached.named, reached)
  if (behind.kind === 'places' || reached.changed === reached.named) return behind
  return findFrom(file, chunk, reached.changed, reached)
}

/** Finds matches from a line on. `@@` lines prefer their block; additions go below it or at the end. */
function findFrom(file: SoughtFile, chunk: Chunk, from: number, reached: Reached): Found {
  const followed = followContexts(file, chunk.contexts)
  if (followed.kind === 'not-found') return { kind: 'context-not-found', context: followed.context }
  const { scopes } = followed
  const hasContext = chunk.contexts.length > 0
  const placesAt = (starts: readonly number[], lines: readonly ChunkLine[], likeness: Likeness): Found => {
    const places = starts.map((start) => ({ start, lines, line: chunk.line }))
    const [first] = places
    if (first === undefined) return { kind: 'not-found' }
    const isPlacedByLines = hasContext || lines.some(({ kind }) => kind !== 'added')
    return { kind: 'places', places, likeness, reached: isPlacedByLines ? reachedBy(first) : reached }
  }
  if (chunk.lines.every(({ kind }) => kind === 'added')) {
    const below = scopes.map(({ start }) => start + 1).filter((start) => start >= from)
    const isAtEnd = chunk.isEndOfFile || !hasContext
    return placesAt(isAtEnd ? [file.lines.length] : below, chunk.lines, followed.likeness)
  }
  for (const lines of [chunk.lines, withoutLastGap(chunk.lines)]) {
    const old = lines.filter(({ kind }) => kind !== 'added')
    if (old.length === 0) {
      // Only additions, apart from a blank line that the file lacks.
      return !hasContext && from === file.lines.length
        ? placesAt([from], lines, 'exact')
        : { kind: 'not-found' }
    }
    const atEnd = chunk.isEndOfFile
    const places = placesIn(
      file,
      scopes,
      old.map(({ text }) => text),
      { from, atEnd },
    )
    const likeness = places[0]?.likeness ?? 'exact'
    if (places.length > 0)
      return placesAt(
        places.map(({ index }) => index),
        lines,
        likeness === 'exact' ? followed.likeness : likeness,
      )
  }
  return { kind: 'not-found' }
}

function reachedBy({ start, lines }: PlacedChunk): Reached {
  const lastChange = lines.findLastIndex(({ kind }) => kind !== 'context')
  const countOld = (part: readonly ChunkLine[]) => part.filter(({ kind }) => kind !== 'added').length
  return { changed: start + countOld(lines.slice(0, lastChange + 1)), named: start + countOld(lines) }
}

interface Scope {
  readonly start: number
  readonly end: number
}

type Followed =
  | { readonly kind: 'scopes'; readonly scopes: readonly Scope[]; readonly likeness: Likeness }
  | { readonly kind: 'not-found'; readonly context: PatchLine }

/** Above this number of blocks the search would take too long. */
const maxScopes = 1_000

/** Follows the `@@` lines inwards. Each must be in the block of the previous one, or at least below it. */
function followContexts(file: SoughtFile, contexts: readonly PatchLine[]): Followed {
  let scopes: readonly Scope[] = [{ start: -1, end: file.lines.length }]
  let worst: Likeness = 'exact'
  for (const context of contexts) {
    const places = placesOfContext(file, context.text)
    const above = scopes.slice(0, maxScopes)
    const inside = places.filter(({ index }) => above.some(({ start, end }) => index > start && index < end))
    const below = places.filter(({ index }) => index > (above[0]?.start ?? -1))
    const chosen = inside.length > 0 ? inside : below
    const [first] = chosen
    if (first === undefined) return { kind: 'not-found', context }
    scopes = chosen.map(({ index }) => ({ start: index, end: file.blockEnd(index) }))
    if (first.likeness !== 'exact') worst = first.likeness
  }
  return { kind: 'scopes', scopes, likeness: worst }
}

/** Also accepts `@@ text @@`. */
function placesOfContext(file: SoughtFile, text: string): readonly Place[] {
  const places = file.places([text])
  return places.length > 0 || !text.endsWith(' @@') ? places : file.places([text.slice(0, -' @@'.length)])
}

/** Returns matches that touch a scope, else those below the first scope. */
function placesIn(
  file: SoughtFile,
  scopes: readonly Scope[],
  old: readonly string[],
  { from, atEnd }: { readonly from: number; readonly atEnd: boolean },
): readonly Place[] {
  const all = file.places(old, { from, atEnd })
  const [first] = scopes
  if (first === undefined || first.start === -1 || scopes.length > maxScopes) return all
  const inside = scopes.flatMap(({ start, end }) => {
    const within = { from: Math.max(from, start - old.length + 1), until: end + old.length - 1 }
    return atEnd ? all.filter(({ index }) => index >= within.from && index < end) : file.places(old, within)
  })
  const exact = inside.filter(({ likeness }) => likeness === 'exact')
  const near = new Map((exact.length > 0 ? exact : inside).map((place) => [place.index, place]))
  return near.size > 0 ? [...near.values()] : all.filter(({ index }) => index >= first.start)
}

/** Drops the last blank line of a chunk, often only the gap before the next header. */
function withoutLastGap(lines: readonly ChunkLine[]): readonly ChunkLine[] {
  const last = lines.at(-1)
  return last?.kind === 'context' && last.text === '' ? lines.slice(0, -1) : lines
}

type Miss = Exclude<Found, { kind: 'places' }>

function describeMiss(file: SoughtFile, chunk: Chunk, miss: Miss): PatchProblem {
  const { path } = file
  if (miss.kind === 'context-not-found') {
    const { text, line } = miss.context
    const message = `${path}: the line of the @@ is not in the file: ${JSON.stringify(truncate(text))}`
    return { kind: 'not-found', message, path, patchLine: line }
  }
  const old = oldLinesOf(chunk)
  const common = { path, patchLine: chunk.line }
  const elsewhere = old.length === 0 ? [] : file.places(old, { atEnd: chunk.isEndOfFile })
  if (elsewhere.length > 0) {
    const places = elsewhere.slice(0, maxPlaces).map(({ index }) => index + 1)
    const only = `${path}: the lines of the chunk stand at line ${places.join(', ')} only`
    return chunk.contexts.length > 0
      ? { kind: 'not-found', message: `${only}, which is not below its @@`, ...common, places }
      : {
          kind: 'contradiction',
          message: `${only}, where the chunks before it have been already: put the chunks in the order of the file, and change each line once`,
          ...common,
          places,
        }
  }
  const where = chunk.isEndOfFile ? 'at the end of the file' : 'in the file'
  const message = old.every((text) => text === '')
    ? `${path}: the chunk expects a blank line, and there is none ${where}: take it out of the chunk, or add the lines around it`
    : `${path}: the lines that the chunk expects are not ${where}${nameMissing(file, old)}: read it again and copy them exactly`
  return { kind: 'not-found', message, ...common }
}

function nameMissing(file: SoughtFile, old: readonly string[]): string {
  const missing = old.find((text) => file.places([text]).length === 0)
  return missing === undefined ? '' : `, such as ${JSON.stringify(truncate(missing))}`
}

function ambiguous(path: string, found: readonly PlacedChunk[], { line }: Chunk): PatchProblem {
  const { list, places } = listPlaces(found.map(({ start }) => start))
  const message = `${path}: the lines of the chunk fit at ${found.length} places, lines ${list}: add lines around the one that is meant, or an @@ line with the function or class that it is in`
  return { kind: 'ambiguous', message, path, patchLine: line, places }
}

export function listPlaces(starts: readonly number[]): {
  readonly list: string
  readonly places: readonly number[]
} {
  const places = starts.slice(0, maxPlaces).map((start) => start + 1)
  return { list: places.join(', ') + (starts.length > maxPlaces ? ', ...' : ''), places }
}

function tooLarge({ path }: SoughtFile, { line }: Chunk): PatchProblem {
  const message = `${path}: the patch has too many chunks, or too vague ones, for a file of this size: make several patches of it`
  return { kind: 'refused-file', message, path, patchLine: line }
}

function truncate(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}...` : text
}
