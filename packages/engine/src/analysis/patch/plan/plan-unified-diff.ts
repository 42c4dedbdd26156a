import { applyPatch, type StructuredPatchHunk } from 'diff'
import type { PatchFiles } from '../change-set.ts'
import { listPlaces } from '../place/place-chunks.ts'
import { SoughtFile } from '../place/sought-file.ts'
import { parseUnifiedDiff, type DiffPaths, type UnifiedFile } from '../unified/parse-unified.ts'
import { encodeUtf8 } from '../utf8.ts'
import {
  planAddition,
  planDeletion,
  planOf,
  planUpdate,
  type EditedText,
  type Planning,
} from './file-operations.ts'
import { Overlay } from './overlay.ts'
import { refusePlan, type PatchProblem, type Plan } from './plan.ts'

/**
 * What a unified diff would do, of git or of `diff -u`. Every line must be as it says; only the line numbers may be off,
 * if the lines stand in the file just once.
 */
export async function planUnifiedDiff(text: string, files: PatchFiles): Promise<Plan> {
  const parsed = parseUnifiedDiff(text)
  if (parsed.kind === 'invalid')
    return refusePlan({ kind: 'malformed', message: `not a unified diff: ${parsed.message}` })
  const planning: Planning = { overlay: new Overlay(files), problems: [], notes: [] }
  for (const file of parsed.files) await planFile(planning, file)
  return planOf(planning)
}

async function planFile(planning: Planning, file: UnifiedFile): Promise<void> {
  const { change, hunks, isExecutable } = file
  const { oldPath, newPath } = await findPaths(planning, file)
  if (change === 'created') return planCreation(planning, newPath, file)
  const edit = (text: string, path: string) => applyHunks(text, path, hunks)
  if (change === 'deleted') return planDeletion(planning, { path: oldPath, edit })
  return planUpdate(planning, {
    path: oldPath,
    ...(newPath === oldPath ? {} : { moveTo: newPath }),
    ...(hunks.length === 0 ? {} : { edit }),
    ...(isExecutable === undefined
      ? {}
      : { mode: (mode: number) => (isExecutable ? mode | 0o111 : mode & ~0o111) }),
  })
}

/** Of what the names may mean, the first that is there. */
async function findPaths({ overlay }: Planning, { paths }: UnifiedFile): Promise<DiffPaths> {
  for (const path of paths) {
    const spot = await overlay.at(path.oldPath, undefined)
    if (spot.kind === 'spoiled' || (spot.kind === 'spot' && spot.image !== null)) return path
  }
  return paths[0]
}

async function planCreation(
  planning: Planning,
  path: string,
  { hunks, isExecutable }: UnifiedFile,
): Promise<void> {
  const created = hunks.every(({ oldLines }) => oldLines === 0) && applyPatch('', patchOf(hunks))
  if (created === false) {
    const message = `${path} is new in the diff, and yet it has old lines there`
    planning.problems.push({ kind: 'malformed', message, path })
    return
  }
  const mode = isExecutable === true ? { mode: 0o755 } : {}
  return planAddition(planning, { path, bytes: encodeUtf8(created), ...mode })
}

function patchOf(hunks: readonly StructuredPatchHunk[]) {
  return { oldFileName: '', newFileName: '', oldHeader: '', newHeader: '', hunks: [...hunks] }
}

function applyHunks(text: string, path: string, hunks: readonly StructuredPatchHunk[]): EditedText {
  const notes: string[] = []
  const problems: PatchProblem[] = []
  const pieces = text.split('\n')
  // What stands behind the last newline is a line only if it is not empty.
  const lines = pieces.at(-1) === '' ? pieces.slice(0, -1) : pieces
  const [exact, loose] = [lines, lines.map(withoutReturn)].map(
    (texts) =>
      new SoughtFile(
        path,
        texts.map((line) => ({ text: line, end: '\n' })),
      ),
  )
  const placed = hunks.map((hunk) => {
    const found =
      findHunk(exact, hunk) ?? findHunk(loose, { ...hunk, lines: hunk.lines.map(withoutReturn) }) ?? []
    const [start] = found
    const stated = `${path}: the hunk at line ${hunk.oldStart}`
    if (start === undefined) {
      const message = `${stated}: its lines are not in the file: make the diff again`
      problems.push({ kind: 'not-found', message, path })
    } else if (found.length > 1) {
      const { list, places } = listPlaces(found)
      const message = `${stated}: its lines fit at ${found.length} places, lines ${list}: give it more lines of context`
      problems.push({ kind: 'ambiguous', message, path, places })
    } else if (start + 1 !== hunk.oldStart) notes.push(`${stated} stands at line ${start + 1}`)
    return { ...hunk, oldStart: (start ?? 0) + 1 }
  })
  if (problems.length > 0) return { kind: 'failed', problems }
  const changed = applyPatch(text, patchOf(placed))
  if (changed === false) {
    const message = `${path}: the hunks contradict each other, or the file has another final newline than they say`
    return { kind: 'failed', problems: [{ kind: 'contradiction', message, path }] }
  }
  const added = hunks.flatMap((hunk) => hunk.lines.filter((line) => line.startsWith('+')))
  return { kind: 'changed', text: changed, added: added.join('\n'), notes }
}

/** Where the old lines of a hunk stand, counted from 0: the stated place alone if they stand there. */
function findHunk(
  file: SoughtFile | undefined,
  { lines, oldStart }: StructuredPatchHunk,
): readonly number[] | undefined {
  const old = lines.filter((line) => !/^[+\\]/.test(line)).map((line) => line.slice(1))
  const stated = oldStart - 1
  const count = file?.lines.length ?? 0
  if (stated <= count && old.every((line, offset) => file?.lines[stated + offset]?.text === line))
    return [stated]
  const places = old.length === 0 ? [] : (file?.places(old) ?? [])
  const starts = places.filter(({ likeness }) => likeness === 'exact').map(({ index }) => index)
  return starts.length === 0 ? undefined : starts
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
