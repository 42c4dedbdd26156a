import {
  type EditedText,
  Overlay,
  planAddition,
  planDeletion,
  type Planning,
  planOf,
  planUpdate,
} from './file-operations.ts'
import { encodeUtf8, type FileLine, joinLines, splitLines, usualEnd } from './file-text.ts'
import { type AddHunk, type Chunk, type ChunkLine, type Hunk, parsePatch } from './patch-text.ts'
import { listPlaces, placeChunks, type PlacedChunk } from './place-chunks.ts'
import { type PatchFiles, type PatchProblem, type Plan, refusePlan } from './plan.ts'
import { SoughtFile } from './sought-file.ts'

/** Plans a V4A patch. Every chunk must match exactly once. Writes nothing and never throws. */
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

function textOf({ lines }: AddHunk): string {
  return lines.map((line) => `${line}\n`).join('')
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
  /** Not empty. It must occur exactly once unless all occurrences are meant. */
  readonly oldText: string
  readonly newText: string
  readonly replaceAll?: boolean
}

/** In characters. */
const maxResultLength = 8 * 1024 * 1024

const maxCounted = 1_000

/** Plans exact replacements in order. In a CRLF file, line feeds of the edit become CRLF. */
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

/** Finds all matches, overlapping ones included: they are ambiguous too. */
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

interface Run {
  readonly start: number
  readonly count: number
  readonly added: readonly ChunkLine[]
  readonly line: number
}

/** Kept lines keep their line ends, new ones get the usual one. A missing final newline stays missing. */
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
  let next = 0
  for (const run of runs) {
    if (run.start < next) return describeOverlap(path, run)
    parts.push(
      lines.slice(next, run.start),
      run.added.map(({ text }) => ({ text, end: usual })),
    )
    next = run.start + run.count
  }
  parts.push(lines.slice(next))
  const result = parts.flat()
  const isUnended = lines.at(-1)?.end === ''
  return result.map(({ text, end }, index) => {
    if (isUnended && index === result.length - 1) return { text, end: '' }
    return { text, end: end === '' ? usual : end }
  })
}

function cutAtContext({ start, lines, line }: PlacedChunk): readonly Run[] {
  const runs: Run[] = []
  let [first, next] = [start, start]
  let added: ChunkLine[] = []
  const close = () => {
    if (next > first || added.length > 0) runs.push({ start: first, count: next - first, added, line })
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

function describeOverlap(path: string, { start, line }: Run): PatchProblem {
  const message = `${path}: two chunks change line ${start + 1} of the file: make them one`
  return { kind: 'contradiction', message, path, patchLine: line }
}
