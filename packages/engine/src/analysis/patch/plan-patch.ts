import { encodeUtf8, joinLines, splitLines } from './file-text.ts'
import { type AddHunk, type Chunk, type Hunk, parsePatch } from './patch-text.ts'
import { listPlaces, placeChunks, replaceLines } from './place-chunks.ts'
import {
  type EditedText,
  Overlay,
  planAddition,
  planDeletion,
  type Planning,
  planOf,
  planUpdate,
} from './file-operations.ts'
import { SoughtFile } from './sought-file.ts'

/** What a patch would do to the files as they are now, or everything that is wrong with it. Nothing has been written. */
export type Plan =
  | {
      readonly kind: 'planned'
      /** Empty: the files are as the patch wants them already. */
      readonly changes: ChangeSet
      /** What was taken with good will, one sentence each: white space that differed, a file that was there already. */
      readonly notes: readonly string[]
    }
  /** Of all its files at once, in the order of the patch; never empty. */
  | { readonly kind: 'refused'; readonly problems: readonly PatchProblem[] }

export type PatchProblemKind =
  /** The text is not a patch of its format. */
  | 'malformed'
  /** A path that is not relative, or leaves the root by its form. */
  | 'bad-path'
  /** The files do not let it be looked at: outside of the root, a folder, too large. */
  | 'refused-file'
  | 'missing-file'
  | 'existing-file'
  /** It cannot be read as text, or the new text cannot be written in its encoding. */
  | 'not-text'
  | 'not-found'
  | 'ambiguous'
  /** Two chunks change the same line or stand in another order than the file, or its end is claimed in its middle. */
  | 'contradiction'

export interface PatchProblem {
  readonly kind: PatchProblemKind
  /** For the agent and for people: what is wrong, where, and what to do. On one line. */
  readonly message: string
  /** As written in the patch. */
  readonly path?: string
  /** In the patch, counted from 1. */
  readonly patchLine?: number
  /** Lines of the file, counted from 1, at which it could be meant. At most 20. */
  readonly places?: readonly number[]
}

export function refusePlan(...problems: readonly PatchProblem[]): Extract<Plan, { kind: 'refused' }> {
  return { kind: 'refused', problems }
}

/** A plan may have as many problems as the patch has chunks. */
const maxDescribed = 10

/** All problems as a text for the agent, one on each line. */
export function describeProblems(problems: readonly PatchProblem[]): string {
  const shown = problems.slice(0, maxDescribed).map(describeProblem)
  const rest = problems.length - shown.length
  if (rest > 0) shown.push(`... and ${rest} more problem${rest === 1 ? '' : 's'} of this patch`)
  return shown.join('\n')
}

export function describeProblem({ message, patchLine }: PatchProblem): string {
  return patchLine === undefined ? message : `line ${patchLine} of the patch: ${message}`
}

/**
 * What a V4A patch would do, in mode `strict`: every chunk must mean one place, and nothing is lost that the patch does not
 * name. Its parts are taken in order, each on what the ones before have made. Writes nothing; never throws, whatever the text.
 */
export async function planPatch(text: string, files: PatchFiles): Promise<Plan> {
  const parsed = parsePatch(text, { dialect: 'strict' })
  if (parsed.kind === 'invalid') {
    const { message, line } = parsed
    return refusePlan({ kind: 'malformed', message, ...(line === undefined ? {} : { patchLine: line }) })
  }
  if (parsed.hunks.length === 0) return refusePlan({ kind: 'malformed', message: 'the patch names no file' })
  const planning: Planning = { overlay: new Overlay(files), problems: [], notes: [] }
  if (parsed.environmentId !== undefined)
    planning.notes.push(
      `the environment ${JSON.stringify(parsed.environmentId)} is not looked at: there is only this one`,
    )
  for (const hunk of parsed.hunks) await planHunk(planning, hunk)
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
      const edit = (text: string, real: string) => applyChunks(text, chunks, real, true)
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

/** The text after all chunks: strictly, or as Codex computes it. @param path for messages */
export function applyChunks(
  text: string,
  chunks: readonly Chunk[],
  path: string,
  isStrict: boolean,
): EditedText {
  const lines = splitLines(text)
  const { placed, problems, notes } = placeChunks(new SoughtFile(path, lines), chunks, isStrict)
  if (problems.length > 0) return { kind: 'failed', problems }
  const changed = replaceLines(path, lines, placed, isStrict)
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

/** More places are not counted. */
const maxCounted = 1_000

/**
 * What exact replacements would do, each on what the ones before have made. In a file whose lines end in CRLF, line feeds of
 * the edit stand for those; what is put in then ends its lines so too.
 */
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

/** A regular file. */
export interface FileImage {
  readonly bytes: Uint8Array
  /** Permission bits, such as 0o644. */
  readonly mode: number
}

/** Null stands for no file. Before and after are never both null. */
export interface ChangedFile {
  /** Relative to the root, symlinks resolved, `/` between its parts, without `.` and `..`. */
  readonly path: string
  readonly before: FileImage | null
  readonly after: FileImage | null
  /** The file that it was moved from, for people; that one is in the set too, with `after` null. */
  readonly movedFrom?: string
}

/** Each path stands in it once. To reverse it, swap `before` and `after`. */
export type ChangeSet = readonly ChangedFile[]

/** What stands at a path now. */
export type FileLook =
  | { readonly kind: 'file'; readonly path: string; readonly image: FileImage }
  /** `path`: where it would be created. */
  | { readonly kind: 'missing'; readonly path: string }
  /** A folder, a device, outside of the root, unreadable, too large: one sentence that names the path. */
  | { readonly kind: 'refused'; readonly reason: string }

/** The files that a plan may look at. Never rejects. */
export interface PatchFiles {
  look(path: string): Promise<FileLook>
}
