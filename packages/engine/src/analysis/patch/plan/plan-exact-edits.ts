import type { PatchFiles } from '../change-set.ts'
import { listPlaces } from '../place/place-chunks.ts'
import { planOf, planUpdate, type EditedText, type Planning } from './file-operations.ts'
import { Overlay } from './overlay.ts'
import type { Plan, PatchProblem } from './plan.ts'

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
