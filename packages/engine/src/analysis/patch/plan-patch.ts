import {
  type EditedText,
  Overlay,
  planAddition,
  planDeletion,
  type Planning,
  planOf,
  planUpdate,
} from './file-operations.ts'
import { encodeUtf8, type FileLine, joinLines, type LineEnd, splitLines, usualEnd } from './file-text.ts'
import { type AddHunk, type Chunk, type ChunkLine, type Hunk, parsePatch } from './patch-text.ts'
import { listPlaces, placeChunks, type PlacedChunk } from './place-chunks.ts'
import { type PatchFiles, type PatchProblem, type Plan, refusePlan } from './plan.ts'
import { SoughtFile } from './sought-file.ts'

/** Plans a V4A patch, part by part. Every chunk must fit exactly one place. Writes nothing and never throws. */
export async function planPatch(text: string, files: PatchFiles): Promise<Plan> {
  const parsed = parsePatch(text)
  if (parsed.kind === 'patch') return planHunks(parsed.hunks, files)
  const { message, line } = parsed
  return refusePlan({ kind: 'malformed', message, ...(line === undefined ? {} : { patchLine: line }) })
}

export async function planHunks(hunks: readonly Hunk[], files: PatchFiles): Promise<Plan> {
  if (hunks.length === 0) return refusePlan({ kind: 'malformed', message: 'the patch names no file' })
  const planning: Planning = { overlay: new Overlay(files), problems: [], notes: [] }
  for (const hunk of hunks) await planHunk(planning, hunk)
  return planOf(planning)
}

async function planHunk(planning: Planning, hunk: Hunk): Promise<void> {
  const { path, line } = hunk
  switch (hunk.kind) {
    case 'add':
      return planAddition(planning, { path, line, bytes: encodeUtf8(textOf(hunk)) })
    case 'delete':
      return planDeletion(planning, { path, line })
    case 'update': {
      const { moveTo, chunks } = hunk
      const edit = (text: string, real: string) => applyChunks(text, chunks, real)
      return planUpdate(planning, {
        path,
        line,
        ...(moveTo === undefined ? {} : { moveTo }),
        ...(chunks.length === 0 ? {} : { edit }),
      })
    }
  }
}

function textOf({ lines, isUnterminated }: AddHunk): string {
  const text = lines.join('\n')
  return lines.length === 0 || isUnterminated === true ? text : `${text}\n`
}

function applyChunks(text: string, chunks: readonly Chunk[], path: string): EditedText {
  const lines = splitLines(text)
  const { placed, problems, notes } = placeChunks(new SoughtFile(path, lines), chunks)
  if (problems.length > 0) return { kind: 'failed', problems }
  const changed = replaceLines(path, lines, placed)
  if ('message' in changed) return { kind: 'failed', problems: [changed] }
  const added = placed.flatMap((chunk) => chunk.lines).filter(({ kind }) => kind === 'added')
  const addedText = added.map((line) => line.text).join('\n')
  return { kind: 'changed', text: joinLines(changed), added: addedText, notes }
}

export interface ExactEdit {
  readonly path: string
  /** Not empty. It must stand in the file exactly once, unless all its places are meant. */
  readonly oldText: string
  readonly newText: string
  readonly replaceAll?: boolean
}

/** Longer results are refused, in characters. */
const maxResultLength = 8 * 1024 * 1024

const maxCounted = 1_000

/** Plans exact replacements, one after the other. In a CRLF file, line feeds of the edit mean CRLF. */
export async function planExactEdits(edits: readonly ExactEdit[], files: PatchFiles): Promise<Plan> {
  const planning: Planning = { overlay: new Overlay(files), problems: [], notes: [] }
  if (edits.length === 0) planning.problems.push({ kind: 'malformed', message: 'there are no edits' })
  for (const edit of edits)
    await planUpdate(planning, { path: edit.path, edit: (text, path) => applyExactEdit(text, path, edit) })
  return planOf(planning)
}

function applyExactEdit(text: string, path: string, edit: ExactEdit): EditedText {
  const failed = (problem: Omit<PatchProblem, 'path'>): EditedText => ({
    kind: 'failed',
    problems: [{ ...problem, message: `${path}${problem.message}`, path }],
  })
  if (edit.oldText === '')
    return failed({ kind: 'malformed', message: ': the old text is empty, so it has no place' })
  if (edit.oldText === edit.newText) {
    const message = ': the old and the new text are the same: nothing would change'
    return failed({ kind: 'malformed', message })
  }
  const isCrlf = text.includes('\r\n') && !/(?<!\r)\n/.test(text)
  const inEnds = (part: string) => (isCrlf ? part.replace(/(?<!\r)\n/g, '\r\n') : part)
  const [oldText, newText] = [inEnds(edit.oldText), inEnds(edit.newText)]
  const starts = findStarts(text, oldText)
  const [first] = starts
  if (first === undefined) {
    const message = ': the old text is not in the file: read it again and copy it exactly'
    return failed({ kind: 'not-found', message })
  }
  const replacesAll = edit.replaceAll === true
  if (starts.length > 1 && !replacesAll) {
    const { list, places } = listPlaces(starts.map((start) => text.slice(0, start).split('\n').length - 1))
    const message = `: the old text stands at ${starts.length} places, lines ${list}: give more of the text around the one that is meant, or replace all of them`
    return failed({ kind: 'ambiguous', message, places })
  }
  const pieces = replacesAll
    ? text.split(oldText)
    : [text.slice(0, first), text.slice(first + oldText.length)]
  const length = text.length + (pieces.length - 1) * (newText.length - oldText.length)
  if (length > maxResultLength) {
    const message = ` would have ${length} characters, more than ${maxResultLength}`
    return failed({ kind: 'refused-file', message })
  }
  return { kind: 'changed', text: pieces.join(newText), added: newText }
}

/** They may overlap: then it is not clear either which one is meant. */
function findStarts(text: string, wanted: string): readonly number[] {
  const starts: number[] = []
  for (
    let at = text.indexOf(wanted);
    at !== -1 && starts.length < maxCounted;
    at = text.indexOf(wanted, at + 1)
  )
    starts.push(at)
  return starts
}

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
 * Applies all chunks. Kept lines keep their ends, new ones take those of the lines that they replace or follow. A
 * missing final newline stays missing unless the patch marks only the old last line with `\\ No newline at end of
 * file`.
 */
function replaceLines(
  path: string,
  lines: readonly FileLine[],
  chunks: readonly PlacedChunk[],
): readonly FileLine[] | PatchProblem {
  const runs = chunks
    .flatMap(cutAtContext)
    .sort((one, other) => one.start - other.start || Number(one.count > 0) - Number(other.count > 0))
  const usual = usualEnd(lines)
  const parts: (readonly FileLine[])[] = []
  const unended = new Set<FileLine>()
  let next = 0
  for (const run of runs) {
    if (run.start < next) return describeOverlap(path, run)
    const added = run.added.map(({ text, isUnterminated }, index): FileLine => {
      if (isUnterminated !== true) return { text, end: endFor(lines, run, index, usual) }
      const line = { text, end: '' } as const
      unended.add(line)
      return line
    })
    parts.push(lines.slice(next, run.start), added)
    next = run.start + run.count
  }
  parts.push(lines.slice(next))
  const result = parts.flat()
  if (result.slice(0, -1).some((line) => unended.has(line))) return describeMiddle(path, runs)
  const last = result.at(-1)
  const isUnended = lines.at(-1)?.end === '' && !runs.some(({ claimsEnd }) => claimsEnd)
  return withEnds(last !== undefined && isUnended ? result.with(-1, { ...last, end: '' }) : result, usual)
}

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
