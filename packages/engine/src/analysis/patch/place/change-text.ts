import type { FileImage } from '../change-set.ts'
import type { PatchProblem } from '../plan/plan.ts'
import {
  joinLines,
  splitLines,
  usualEnd,
  type FileLine,
  type LineEnd,
  canHold,
  decodeTextFile,
  encodeTextFile,
} from '../text-file.ts'
import type { PlacedChunks } from './place-chunks.ts'
import { soughtFile, type SoughtFile } from './sought-file.ts'
import type { PlacedChunk, PlacedLine } from './place-chunk.ts'

export type ChangedImage =
  | { readonly kind: 'changed'; readonly image: FileImage; readonly notes: readonly string[] }
  | { readonly kind: 'failed'; readonly problems: readonly PatchProblem[] }

export interface TextChange {
  readonly path: string
  /** In the patch, of what asks for the change. */
  readonly line: number
  readonly loneReturns: 'end' | 'content'
  readonly place: (file: SoughtFile) => PlacedChunks
}

/** Changes a file as a text. Its encoding, byte order mark and mode stay. */
export function changeText(image: FileImage, change: TextChange): ChangedImage {
  const { path, line: patchLine } = change
  const decoded = decodeTextFile(image.bytes)
  if (decoded.kind === 'not-text') {
    const message = `${path} ${decoded.problem}, so it cannot be changed as a text`
    return { kind: 'failed', problems: [{ kind: 'not-text', message, path, patchLine }] }
  }
  const lines = splitLines(decoded.text, change.loneReturns)
  const { placed, problems, notes } = change.place(soughtFile(path, lines))
  if (problems.length > 0) return { kind: 'failed', problems }
  const changed = applyChunks(path, lines, placed)
  if ('message' in changed) return { kind: 'failed', problems: [changed] }
  const unknown = placed
    .flatMap((chunk) => chunk.lines)
    .find(({ kind, text }) => kind === 'added' && !canHold(decoded.format, text))
  if (unknown !== undefined) {
    const message = `${path} is neither UTF-8 nor UTF-16, so only ASCII can be put into it: ${JSON.stringify(unknown.text.slice(0, 120))} is not`
    return { kind: 'failed', problems: [{ kind: 'not-text', message, path, patchLine }] }
  }
  const bytes = sameLines(lines, changed) ? image.bytes : encodeTextFile(joinLines(changed), decoded.format)
  return { kind: 'changed', image: { bytes, mode: image.mode }, notes }
}

function sameLines(before: readonly FileLine[], after: readonly FileLine[]): boolean {
  return (
    before.length === after.length &&
    before.every(({ text, end }, index) => after[index]?.text === text && after[index].end === end)
  )
}

/** Lines of the file that give way to others, between lines that stay. */
export interface Run {
  readonly start: number
  readonly count: number
  readonly added: readonly PlacedLine[]
  readonly line: number
  /** The patch says that its last old line ends without a newline: what follows from that is written in the patch too. */
  readonly saysUnended?: true
}

/**
 * Puts all chunks into the file as it is before any of them. Lines that stay keep their text and end; new ones take the end
 * of the lines that they replace or follow. A file without a final newline stays without one, unless the patch marks the old
 * last line alone with `\\ No newline at end of file`.
 */
function applyChunks(
  path: string,
  lines: readonly FileLine[],
  chunks: readonly PlacedChunk[],
): readonly FileLine[] | PatchProblem {
  const runs = chunks
    .flatMap(runsOf)
    .sort((one, other) => one.start - other.start || Number(one.count > 0) - Number(other.count > 0))
  const usual = usualEnd(lines)
  const result: FileLine[] = []
  const unended = new Set<number>()
  let next = 0
  for (const run of runs) {
    if (run.start < next) return overlap(path, run)
    for (; next < run.start; next += 1) result.push(lines[next] ?? noLine)
    for (const [index, added] of run.added.entries()) {
      if (added.isUnterminated === true) unended.add(result.length)
      const end = added.isUnterminated === true ? '' : (added.end ?? endFor(lines, run, index, usual))
      result.push({ text: added.text, end })
    }
    next = run.start + run.count
  }
  for (; next < lines.length; next += 1) result.push(lines[next] ?? noLine)
  const claimed = [...unended].find((index) => index !== result.length - 1)
  if (claimed !== undefined) return endInTheMiddle(path, runs)
  const last = result.at(-1)
  const isKeptUnended = lines.at(-1)?.end === '' && !runs.some(({ saysUnended }) => saysUnended)
  return withEnds(last !== undefined && isKeptUnended ? result.with(-1, { ...last, end: '' }) : result, usual)
}

const noLine: FileLine = { text: '', end: '\n' }

/** A chunk cut at its context lines. */
export function runsOf({ start, lines, line }: PlacedChunk): readonly Run[] {
  const runs: Run[] = []
  let next = start
  let first = start
  let added: PlacedLine[] = []
  const marks = lines.some(({ kind, isUnterminated }) => kind === 'removed' && isUnterminated)
  const close = () => {
    if (next > first || added.length > 0)
      runs.push({ start: first, count: next - first, added, line, ...(marks ? { saysUnended: true } : {}) })
    added = []
  }
  for (const placed of lines) {
    if (placed.kind === 'added') {
      added.push(placed)
      continue
    }
    if (placed.kind === 'context') close()
    next += 1
    if (placed.kind === 'context') first = next
  }
  close()
  return runs
}

/** That of the line whose place it takes, else of the line above, else of the line below. */
function endFor(lines: readonly FileLine[], { start, count }: Run, index: number, usual: LineEnd): LineEnd {
  const replaced = count === 0 ? undefined : lines[start + Math.min(index, count - 1)]
  const neighbours = [replaced, lines[start - 1], lines[start + count]]
  const end = neighbours.map((line) => line?.end ?? '').find((candidate) => candidate !== '')
  return end === undefined || end === '\r' ? usual : end
}

/** Only the last line may go without. */
function withEnds(lines: readonly FileLine[], usual: LineEnd): readonly FileLine[] {
  return lines.map((line, index) => {
    if (line.end !== '' || index === lines.length - 1) return line
    const above = lines[index - 1]?.end ?? ''
    return { ...line, end: above === '' || above === '\r' ? usual : above }
  })
}

function overlap(path: string, { start, line }: Run): PatchProblem {
  const message = `${path}: two chunks change line ${start + 1} of the file: make them one`
  return { kind: 'contradiction', message, path, patchLine: line }
}

function endInTheMiddle(path: string, runs: readonly Run[]): PatchProblem {
  const run = runs.find(({ added }) => added.some(({ isUnterminated }) => isUnterminated === true))
  const message = `${path}: a line without a newline at its end must be the last of the file`
  return { kind: 'contradiction', message, path, ...(run === undefined ? {} : { patchLine: run.line }) }
}
