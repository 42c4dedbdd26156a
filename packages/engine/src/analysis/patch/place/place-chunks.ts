import { newLinesOf, oldLinesOf, type Chunk } from '../hunk.ts'
import type { PatchProblem } from '../plan/plan.ts'
import { nearestMiss } from './nearest-miss.ts'
import {
  candidatesOf,
  type Candidates,
  type Reached,
  type PlacedChunk,
  type PlacedLine,
} from './place-chunk.ts'
import type { Likeness, SoughtFile } from './sought-file.ts'

export interface PlacedChunks {
  readonly placed: readonly PlacedChunk[]
  readonly problems: readonly PatchProblem[]
  readonly notes: readonly string[]
}

/** The more are told, the less is read. */
const maxPlaces = 20
/** Of one file: looking for the nearest place takes time, and the first few tell the rest. */
const maxNearMisses = 5

const forgiven: Readonly<Record<Likeness, string | undefined>> = {
  exact: undefined,
  'trailing-space': 'in white space at the ends of lines',
  'surrounding-space': 'in indentation or white space',
  'look-alike': 'in characters that look alike, or in white space',
}

/**
 * Finds for every chunk the one place that it means, in the file as it is before any of them, and in their order.
 * Equal chunks may stand for as many equal places.
 */
export function placeChunks(file: SoughtFile, chunks: readonly Chunk[]): PlacedChunks {
  const placed: PlacedChunk[] = []
  const problems: PatchProblem[] = []
  const notes: string[] = []
  // For each chunk, all that are equal to it, in order.
  const twins = Map.groupBy(chunks, keyOf)
  let reached: Reached = { changed: 0, named: 0 }
  for (const chunk of chunks) {
    const found = candidatesOf(file, chunk, reached)
    const place = found.kind === 'places' ? chosenOf(found.places, twins, chunk) : undefined
    if (file.isSpent()) {
      problems.push(tooLarge(file, chunk.line))
      break
    }
    if (found.kind !== 'places' || place === undefined) {
      problems.push(problemOf(file, chunk, found, problems.length))
      continue
    }
    const difference = forgiven[found.likeness]
    if (difference !== undefined)
      notes.push(
        `${file.path}: the chunk at line ${chunk.line} of the patch differs from line ${place.start + 1} ${difference}`,
      )
    const claim = claimProblem(file, place)
    if (claim !== undefined) problems.push(claim)
    else placed.push(place)
    if (isPlacedByItsLines(chunk)) reached = reachedBy(place)
  }
  return { placed, problems, notes }
}

/** An addition to the end of the file says nothing of where the ones behind it stand. */
function isPlacedByItsLines({ contexts, lines }: Chunk): boolean {
  return contexts.length > 0 || lines.some(({ kind }) => kind !== 'added')
}

function reachedBy({ start, lines }: PlacedChunk): Reached {
  const lastChange = lines.findLastIndex(({ kind }) => kind !== 'context')
  const namedIn = (part: readonly PlacedLine[]) => part.filter(({ kind }) => kind !== 'added').length
  return { changed: start + namedIn(lines.slice(0, lastChange + 1)), named: start + namedIn(lines) }
}

/** What was found after that may not be all there is. */
export function tooLarge({ path }: SoughtFile, patchLine: number): PatchProblem {
  const message = `${path}: the patch has too many chunks, or too vague ones, for a file of this size: make several patches of it`
  return { kind: 'refused-file', message, path, patchLine }
}

function keyOf({ contexts, lines, isEndOfFile }: Chunk): string {
  return JSON.stringify([
    contexts.map(({ text }) => text),
    lines.map(({ kind, text }) => [kind, text]),
    isEndOfFile,
  ])
}

function chosenOf(
  places: readonly PlacedChunk[],
  twins: ReadonlyMap<string, readonly Chunk[]>,
  chunk: Chunk,
): PlacedChunk | undefined {
  if (places.length === 1) return places[0]
  const same = twins.get(keyOf(chunk)) ?? []
  return same.length - same.indexOf(chunk) === places.length ? places[0] : undefined
}

function problemOf(file: SoughtFile, chunk: Chunk, found: Candidates, earlier: number): PatchProblem {
  const { path } = file
  if (found.kind === 'places') {
    const starts = found.places.map(({ start }) => start)
    return { ...ambiguous(path, starts), path, patchLine: chunk.line }
  }
  if (found.kind === 'context-not-found') {
    const message = `${path}: the line of the @@ is not in the file: ${JSON.stringify(truncateText(found.text))}`
    const nearest = earlier < maxNearMisses ? nearestMiss(file, [found.text]) : undefined
    const common = { kind: 'not-found', message, path, patchLine: found.line } as const
    return nearest === undefined ? common : { ...common, nearest }
  }
  if (found.kind === 'out-of-order') return { ...outOfOrder(path, found.starts), patchLine: chunk.line }
  return { ...notFound(file, chunk, found.elsewhere, earlier), path, patchLine: chunk.line }
}

/** @param starts counted from 0 */
function outOfOrder(path: string, starts: readonly number[]): PatchProblem {
  const places = starts.slice(0, maxPlaces).map((start) => start + 1)
  const message = `${path}: the lines of the chunk stand at line ${places.join(', ')} only, where the chunks before it have been already: put the chunks in the order of the file, and change each line once`
  return { kind: 'contradiction', message, path, places }
}

/** @param starts counted from 0 */
export function ambiguous(
  path: string,
  starts: readonly number[],
  what = 'the lines of the chunk fit',
  wayOut = 'add lines around the one that is meant, or an @@ line with the function or class that it is in',
): PatchProblem {
  const places = starts.slice(0, maxPlaces).map((start) => start + 1)
  const list = places.join(', ') + (starts.length > maxPlaces ? ', ...' : '')
  const message = `${path}: ${what} at ${starts.length} places, lines ${list}: ${wayOut}`
  return { kind: 'ambiguous', message, places }
}

/**
 * @param elsewhere where the lines stand all the same, counted from 0
 * @param earlier problems of the same file: after some, the nearest place is no longer looked for
 */
export function notFound(
  file: SoughtFile,
  chunk: Chunk,
  elsewhere: readonly number[],
  earlier: number,
): PatchProblem {
  if (elsewhere.length > 0) {
    const places = elsewhere.slice(0, maxPlaces).map((start) => start + 1)
    const names = chunk.contexts.map(({ text }) => JSON.stringify(truncateText(text))).join(' > ')
    const message = `${file.path}: the lines of the chunk stand at line ${places.join(', ')}, which is not below its @@ ${names}`
    return { kind: 'not-found', message, places }
  }
  const done = appliedAt(file, chunk)
  if (done.length > 0) {
    const places = done.slice(0, maxPlaces).map((start) => start + 1)
    const message = `${file.path}: already applied, it seems: what the chunk would leave behind stands at line ${places.join(', ')}, and what it would replace is not in the file`
    return { kind: 'already-applied', message, places }
  }
  const where = chunk.isEndOfFile ? 'at the end of the file' : 'in the file'
  const old = oldLinesOf(chunk)
  const isBlank = old.every((text) => text === '')
  const message = isBlank
    ? `${file.path}: the chunk expects a blank line, and there is none ${where}: take it out of the chunk, or add the lines around it`
    : `${file.path}: the lines that the chunk expects are not ${where}: read it again and copy them exactly`
  const nearest = earlier < maxNearMisses && !isBlank ? nearestMiss(file, old) : undefined
  return { kind: 'not-found', message, ...(nearest === undefined ? {} : { nearest }) }
}

/** A single line that was left as it is proves nothing. */
function appliedAt(file: SoughtFile, chunk: Chunk): readonly number[] {
  const left = newLinesOf(chunk)
  const isTelling =
    chunk.lines.some(({ kind, text }) => kind === 'added' && text.trim() !== '') || left.length > 1
  if (!isTelling || left.every((text) => text.trim() === '')) return []
  const places = file.places(left).filter(({ likeness }) => likeness === 'exact')
  return places.map(({ index }) => index)
}

/** The patch says that a line is the last one and has no end: the file must say so too. */
export function claimProblem(
  file: SoughtFile,
  { start, lines, line }: PlacedChunk,
): PatchProblem | undefined {
  const old = lines.filter(({ kind }) => kind !== 'added')
  const claimed = old.findIndex(({ isUnterminated }) => isUnterminated === true)
  if (claimed === -1 || file.lines[start + claimed]?.end === '') return undefined
  const message = `${file.path}: line ${start + claimed + 1} has a newline at its end, and the patch says that it has none`
  return { kind: 'not-found', message, path: file.path, patchLine: line }
}

function truncateText(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}...` : text
}
