import type { PatchFiles } from '../change-set.ts'
import { ambiguous, notFound } from '../place/place-chunks.ts'
import { soughtFile } from '../place/sought-file.ts'
import { splitLines, canHold, decodeTextFile, encodeTextFile } from '../text-file.ts'
import { planOf, planImage, type Edited, type Planning } from './file-operations.ts'
import { Overlay } from './overlay.ts'
import type { PatchProblem, PatchProblemKind, Plan } from './plan.ts'

export interface ExactEdit {
  readonly path: string
  /** Not empty. It must stand in the file exactly once, unless all its places are meant. */
  readonly oldText: string
  readonly newText: string
  readonly replaceAll?: boolean
}

/** Longer results are refused, in characters. */
const maxResultLength = 8 * 1024 * 1024

/**
 * What exact replacements would do, each on what the ones before have made. In a file whose lines end in CRLF, line feeds of
 * the edit stand for those; what is put in then ends its lines so too.
 */
export async function planExactEdits(edits: readonly ExactEdit[], files: PatchFiles): Promise<Plan> {
  const planning: Planning = { overlay: new Overlay(files), options: {}, problems: [], notes: [] }
  if (edits.length === 0) planning.problems.push({ kind: 'malformed', message: 'there are no edits' })
  for (const edit of edits)
    await planImage(planning, edit, (bytes, path) => applyExactEdit(bytes, path, edit))
  return planOf(planning)
}

function applyExactEdit(bytes: Uint8Array, path: string, edit: ExactEdit): Edited {
  const failedWith = (problem: PatchProblem): Edited => ({ kind: 'failed', problems: [{ ...problem, path }] })
  const failedEdit = (kind: PatchProblemKind, problem: string) =>
    failedWith({ kind, message: `${path}${problem}` })
  if (edit.oldText === '') return failedEdit('malformed', ': the old text is empty, so it has no place')
  if (edit.oldText === edit.newText)
    return failedEdit('malformed', ': the old and the new text are the same: nothing would change')
  const decoded = decodeTextFile(bytes)
  if (decoded.kind === 'not-text')
    return failedEdit('not-text', ` ${decoded.problem}, so it cannot be changed as a text`)
  const { text, format } = decoded
  const { oldText, newText } = inEndsOf(text, edit)
  const starts = placesOf(text, oldText)
  if (starts.length === 0) return failedWith(missing(path, text, edit))
  if (starts.length > 1 && edit.replaceAll !== true) return failedWith(tooMany(path, text, starts))
  if (!canHold(format, newText))
    return failedEdit('not-text', ' is neither UTF-8 nor UTF-16, so only ASCII can be put into it')
  const pieces = edit.replaceAll === true ? text.split(oldText) : splitOnce(text, oldText)
  const length = text.length + (pieces.length - 1) * (newText.length - oldText.length)
  if (length > maxResultLength)
    return failedEdit('refused-file', ` would have ${length} characters, more than ${maxResultLength}`)
  return { kind: 'changed', bytes: encodeTextFile(pieces.join(newText), format) }
}

/** What stands there as it is goes first. */
function inEndsOf(
  text: string,
  { oldText, newText }: ExactEdit,
): { readonly oldText: string; readonly newText: string } {
  const isCrlf = text.includes('\r\n') && !/(?<!\r)\n/.test(text)
  if (!isCrlf) return { oldText, newText }
  const crlf = (part: string) => part.replace(/(?<!\r)\n/g, '\r\n')
  return { oldText: crlf(oldText), newText: crlf(newText) }
}

/** They may overlap: then it is not clear either which one is meant. */
function placesOf(text: string, wanted: string): readonly number[] {
  const places: number[] = []
  for (let at = text.indexOf(wanted); at !== -1 && places.length < 1_000; at = text.indexOf(wanted, at + 1))
    places.push(at)
  return places
}

function splitOnce(text: string, wanted: string): readonly string[] {
  const start = text.indexOf(wanted)
  return [text.slice(0, start), text.slice(start + wanted.length)]
}

function tooMany(path: string, text: string, starts: readonly number[]): PatchProblem {
  const lines = starts.map((start) => text.slice(0, start).split('\n').length - 1)
  const wayOut = 'give more of the text around the one that is meant, or replace all of them'
  return ambiguous(path, lines, 'the old text stands', wayOut)
}

/** Told as a chunk would be: the nearest lines, or that the new text is there already. */
function missing(path: string, text: string, { oldText, newText }: ExactEdit): PatchProblem {
  const file = soughtFile(path, splitLines(text, 'content'))
  const linesIn = (written: string, kind: 'removed' | 'added') =>
    written.split('\n').map((line) => ({ kind, text: line.replace(/\r$/, ''), line: 1 }))
  const lines = [...linesIn(oldText, 'removed'), ...linesIn(newText, 'added')]
  const problem = notFound(file, { contexts: [], lines, isEndOfFile: false, line: 1 }, [], 0)
  return { ...problem, message: messageOf(path, problem) }
}

function messageOf(path: string, { kind, places }: PatchProblem): string {
  return kind === 'already-applied'
    ? `${path}: the edit is done already, it seems: the new text stands at line ${places?.join(', ')}, and the old text is not in the file`
    : `${path}: the old text is not in the file: read it again and copy it exactly`
}
