import type { ChunkLine } from '../hunk.ts'
import type { PatchProblem } from '../plan/plan.ts'
import { usualEnd, type FileLine, type LineEnd } from '../text-file.ts'
import type { PlacedChunk } from './place-chunks.ts'

/** Lines of the file that give way to others, between lines that stay. */
interface Run {
  readonly start: number
  readonly count: number
  readonly added: readonly ChunkLine[]
  readonly line: number
  /** The patch says that its last old line ends without a newline: what follows from that is written in the patch too. */
  readonly claimsEnd: boolean
}

/**
 * Puts all chunks into the file as it is before any of them. Strict: lines that stay keep their text and end, new ones take the
 * end of the lines that they replace or follow, and a file without a final newline stays without one, unless the patch marks the
 * old last line alone with `\\ No newline at end of file`. Otherwise as Codex: new lines end as the first line of the file does,
 * and so does every line that has no end yet.
 */
export function replaceLines(
  path: string,
  lines: readonly FileLine[],
  chunks: readonly PlacedChunk[],
  isStrict: boolean,
): readonly FileLine[] | PatchProblem {
  const runs = chunks
    .flatMap(cutAtContext)
    .sort((one, other) => one.start - other.start || Number(one.count > 0) - Number(other.count > 0))
  const usual = isStrict ? usualEnd(lines) : firstEnd(lines)
  const parts: (readonly FileLine[])[] = []
  const unended = new Set<FileLine>()
  let next = 0
  for (const run of runs) {
    if (run.start < next) return describeOverlap(path, run)
    const added = run.added.map(({ text, isUnterminated }, index): FileLine => {
      if (isUnterminated !== true) return { text, end: isStrict ? endFor(lines, run, index, usual) : usual }
      const line = { text, end: '' } as const
      unended.add(line)
      return line
    })
    parts.push(lines.slice(next, run.start), added)
    next = run.start + run.count
  }
  parts.push(lines.slice(next))
  const result = parts.flat()
  if (!isStrict) return result.map((line) => (line.end === '' ? { ...line, end: usual } : line))
  if (result.slice(0, -1).some((line) => unended.has(line))) return describeMiddle(path, runs)
  const last = result.at(-1)
  const isUnended = lines.at(-1)?.end === '' && !runs.some(({ claimsEnd }) => claimsEnd)
  return withEnds(last !== undefined && isUnended ? result.with(-1, { ...last, end: '' }) : result, usual)
}

/** A chunk cut at its context lines. */
function cutAtContext({ start, lines, line }: PlacedChunk): readonly Run[] {
  const runs: Run[] = []
  const claimsEnd = lines.some(({ kind, isUnterminated }) => kind === 'removed' && isUnterminated)
  let [first, next] = [start, start]
  let added: ChunkLine[] = []
  const close = () => {
    if (next > first || added.length > 0)
      runs.push({ start: first, count: next - first, added, line, claimsEnd })
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
  const neighbors = [replaced, lines[start - 1], lines[start + count]]
  const end = neighbors.map((line) => line?.end ?? '').find((candidate) => candidate !== '')
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

function describeOverlap(path: string, { start, line }: Run): PatchProblem {
  const message = `${path}: two chunks change line ${start + 1} of the file: make them one`
  return { kind: 'contradiction', message, path, patchLine: line }
}

function describeMiddle(path: string, runs: readonly Run[]): PatchProblem {
  const run = runs.find(({ added }) => added.some(({ isUnterminated }) => isUnterminated === true))
  const message = `${path}: a line without a newline at its end must be the last of the file`
  return { kind: 'contradiction', message, path, ...(run === undefined ? {} : { patchLine: run.line }) }
}

function firstEnd([first]: readonly FileLine[]): LineEnd {
  return first === undefined || first.end === '' ? '\n' : first.end
}
