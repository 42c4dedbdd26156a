import type { PatchFiles } from '../change-set.ts'
import { lineSearch, searchBudget, type LineSearch } from '../place/line-search.ts'
import type { Chunk } from '../hunk.ts'
import type { PlacedChunk, PlacedLine } from '../place/place-chunk.ts'
import { ambiguous, claimProblem, notFound, tooLarge, type PlacedChunks } from '../place/place-chunks.ts'
import type { SoughtFile } from '../place/sought-file.ts'
import { parseUnifiedDiff } from '../unified/parse-unified.ts'
import type { DiffPaths, UnifiedFile, UnifiedHunk } from '../unified/unified-diff.ts'
import { encodeUtf8 } from '../utf8.ts'
import { planAddition, planDeletion, planOf, planUpdate, type Planning } from './file-operations.ts'
import { Overlay } from './overlay.ts'
import { refusePlan, type PatchProblem, type Plan, type PlanOptions } from './plan.ts'

/**
 * What a unified diff would do, of git or of `diff -u`. Every line must be as it says; only the line numbers may be off,
 * where the lines stand in the file just once.
 */
export async function planUnifiedDiff(
  text: string,
  files: PatchFiles,
  options: PlanOptions = {},
): Promise<Plan> {
  const parsed = parseUnifiedDiff(text)
  if (parsed.kind === 'invalid')
    return refusePlan({
      kind: 'malformed',
      message: `not a unified diff: ${parsed.message}`,
      patchLine: parsed.line,
    })
  const planning: Planning = { overlay: new Overlay(files), options, problems: [], notes: [] }
  for (const file of parsed.files) await planFile(planning, file)
  return planOf(planning)
}

async function planFile(planning: Planning, file: UnifiedFile): Promise<void> {
  const { change: kind, hunks, line, isExecutable } = file
  const { oldPath, newPath } = await findPaths(planning, file)
  if (kind === 'created') return planCreation(planning, newPath, file)
  const place = (sought: SoughtFile) => placeHunks(sought, hunks)
  const change = { path: oldPath, line, loneReturns: 'content' as const, place }
  if (kind === 'deleted') return planDeletion(planning, { path: oldPath, line, change })
  return planUpdate(planning, {
    path: oldPath,
    line,
    ...(newPath === oldPath ? {} : { moveTo: newPath }),
    ...(hunks.length === 0 ? {} : { change }),
    ...(isExecutable === undefined ? {} : { mode: (mode: number) => runnable(mode, isExecutable) }),
  })
}

/** Of what the names may mean, the first that is there. */
async function findPaths({ overlay }: Planning, { paths, line }: UnifiedFile): Promise<DiffPaths> {
  for (const path of paths) {
    const spot = await overlay.at(path.oldPath, line)
    if (spot.kind === 'spoiled' || (spot.kind === 'spot' && spot.image !== null)) return path
  }
  return paths[0]
}

async function planCreation(
  planning: Planning,
  path: string,
  { hunks, line, isExecutable }: UnifiedFile,
): Promise<void> {
  const lines = hunks.flatMap((hunk) => hunk.lines)
  if (lines.some(({ kind }) => kind !== 'added')) {
    const message = `${path} is new in the diff, and yet it has old lines there`
    planning.problems.push({ kind: 'malformed', message, path, patchLine: line })
    return
  }
  const text = lines
    .map(({ text: added, isUnterminated }) => (isUnterminated === true ? added : `${added}\n`))
    .join('')
  const mode = isExecutable === true ? { mode: 0o755 } : {}
  return planAddition(planning, { path, line, bytes: encodeUtf8(text), ...mode })
}

function runnable(mode: number, isExecutable: boolean): number {
  return isExecutable ? mode | 0o111 : mode & ~0o111
}

function placeHunks(file: SoughtFile, hunks: readonly UnifiedHunk[]): PlacedChunks {
  const placed: PlacedChunk[] = []
  const problems: PatchProblem[] = []
  const notes: string[] = []
  const budget = searchBudget()
  const exactTexts = file.lines.map(({ text, end }) => (end === '\r\n' ? `${text}\r` : text))
  const exactLines = { texts: exactTexts, search: lineSearch(exactTexts, budget) }
  const looseLines = { texts: file.texts, search: lineSearch(file.texts, budget) }
  for (const hunk of hunks) {
    const exact = placeHunk(file, exactLines, hunk, exactly)
    const result =
      exact.kind === 'not-found' ? placeHunk(file, looseLines, withoutReturns(hunk), (lines) => lines) : exact
    if (budget.left < 0) {
      problems.push(tooLarge(file, hunk.line))
      break
    }
    if (result.kind === 'placed') {
      const claim = claimProblem(file, result.place)
      if (claim === undefined) placed.push(result.place)
      else problems.push(claim)
      if (result.note !== undefined) notes.push(result.note)
    } else problems.push(result.kind === 'problem' ? result.problem : problemOf(file, hunk, problems.length))
  }
  return { placed, problems, notes }
}

interface SoughtLines {
  readonly texts: readonly string[]
  readonly search: LineSearch
}

type HunkLocation =
  | { readonly kind: 'placed'; readonly place: PlacedChunk; readonly note?: string }
  | { readonly kind: 'problem'; readonly problem: PatchProblem }
  | { readonly kind: 'not-found' }

function placeHunk(
  file: SoughtFile,
  within: SoughtLines,
  { oldStart, lines, line }: UnifiedHunk,
  read: (lines: UnifiedHunk['lines']) => readonly PlacedLine[],
): HunkLocation {
  const old = lines.filter(({ kind }) => kind !== 'added').map(({ text }) => text)
  const stated = old.length === 0 ? oldStart : oldStart - 1
  const starts = startsOf(within, old, stated)
  const [first] = starts
  if (first === undefined) return { kind: 'not-found' }
  if (starts.length > 1)
    return { kind: 'problem', problem: { ...ambiguous(file.path, starts), path: file.path, patchLine: line } }
  const place = { start: first, lines: read(lines), line }
  if (first === stated) return { kind: 'placed', place }
  const note = `${file.path}: the hunk at line ${line} of the diff says line ${oldStart}, and stands at line ${first + 1}`
  return { kind: 'placed', place, note }
}

/** The stated one alone, where the lines stand there. */
function startsOf({ texts, search }: SoughtLines, old: readonly string[], stated: number): readonly number[] {
  if (stated <= texts.length && old.every((line, offset) => texts[stated + offset] === line)) return [stated]
  return old.length === 0 ? [] : search(old)
}

/** The ends of new lines are as the diff has them. */
function exactly(lines: UnifiedHunk['lines']): readonly PlacedLine[] {
  return lines.map((line) => {
    if (line.isUnterminated === true) return line
    return line.text.endsWith('\r')
      ? { ...line, text: line.text.slice(0, -1), end: '\r\n' }
      : { ...line, end: '\n' }
  })
}

/** The diff has lost the carriage returns of the file on its way, or gained some. */
function withoutReturns(hunk: UnifiedHunk): UnifiedHunk {
  return { ...hunk, lines: hunk.lines.map((line) => ({ ...line, text: line.text.replace(/\r$/, '') })) }
}

function problemOf(file: SoughtFile, hunk: UnifiedHunk, found: number): PatchProblem {
  const { lines, line } = withoutReturns(hunk)
  const chunk: Chunk = { contexts: [], lines, isEndOfFile: false, line }
  return { ...notFound(file, chunk, [], found), path: file.path, patchLine: hunk.line }
}
