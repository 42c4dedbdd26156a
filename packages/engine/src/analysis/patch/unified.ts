import {
  applyPatch,
  formatPatch,
  parsePatch,
  structuredPatch,
  type StructuredPatch,
  type StructuredPatchHunk,
} from 'diff'
import {
  type EditedText,
  Overlay,
  planAddition,
  planDeletion,
  type Planning,
  planOf,
  planUpdate,
  sameBytes,
} from './file-operations.ts'
import { decodeTextFile, encodeUtf8, splitLines, textWithMark } from './file-text.ts'
import { listPlaces } from './place-chunks.ts'
import {
  type ChangedFile,
  type ChangeSet,
  type FileImage,
  type PatchFiles,
  type PatchProblem,
  type Plan,
  refusePlan,
} from './plan.ts'
import { SoughtFile } from './sought-file.ts'

/** Plans a unified diff of git or `diff -u`. Lines must match; wrong line numbers are fine if unique. */
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

/** Returns the first candidate name that exists. */
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
  const file = new SoughtFile(path, splitLines(text))
  const placed = hunks.map((hunk) => {
    const found = findHunk(file, hunk)
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

/** Returns matches of a hunk's old lines, from 0, ignoring line ends; the stated line alone if it matches. */
function findHunk(file: SoughtFile, { lines, oldStart }: StructuredPatchHunk): readonly number[] {
  const old = lines.filter((line) => !/^[+\\]/.test(line)).map((line) => withoutReturn(line.slice(1)))
  const stated = oldStart - 1
  const isHere = old.every((line, offset) => file.lines[stated + offset]?.text === line)
  if (stated <= file.lines.length && isHere) return [stated]
  const places = old.length === 0 ? [] : file.places(old)
  return places.filter(({ likeness }) => likeness === 'exact').map(({ index }) => index)
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

interface DiffPaths {
  readonly oldPath: string
  readonly newPath: string
}

interface UnifiedFile {
  /** Candidate readings of the names, with or without a prefix. Never empty. */
  readonly paths: readonly [DiffPaths, ...DiffPaths[]]
  readonly change: 'created' | 'changed' | 'deleted'
  readonly isExecutable?: boolean
  readonly hunks: readonly StructuredPatchHunk[]
}

type ParsedDiff =
  | { readonly kind: 'diff'; readonly files: readonly UnifiedFile[] }
  | { readonly kind: 'invalid'; readonly message: string }

class DiffFault extends Error {}

/** Parses a unified diff, with or without git headers. Skips only text above the first file. */
function parseUnifiedDiff(text: string): ParsedDiff {
  try {
    const diff = prepareText(text)
    if (/^GIT binary patch\r?$/m.test(diff)) throw new DiffFault('binary content is not supported')
    const files = parsePatch(diff)
    assertAllRead(diff, files)
    const gitLines = [...diff.matchAll(/^diff --git ([^\n]+)/gm)].map(([, names = '']) => names)
    return {
      kind: 'diff',
      files: files.map((file) => toUnifiedFile(file, file.isGit === true ? gitLines.shift() : undefined)),
    }
  } catch (error) {
    // The parser throws plain errors if the text is not a diff.
    return { kind: 'invalid', message: error instanceof Error ? error.message : String(error) }
  }
}

/** Drops text before the first file, a mail signature, and carriage returns in headers. */
function prepareText(text: string): string {
  const header = /^(?:\+\+\+ |diff --git )[^\n]*/m.exec(text)?.[0] ?? ''
  const diff = header.endsWith('\r') ? text.replaceAll(/\r(?=\n|$)/g, '') : text
  const start = diff.search(/^(?:diff --git |--- [^\n]*\n\+\+\+ )/m)
  if (start === -1)
    throw new DiffFault('no file is named: a diff begins with diff --git, or with --- and +++')
  return diff
    .slice(start)
    .replace(/^-- \n\d+\.\d[^\n]*\n*$(?![^])/m, '')
    .replace(
      /(^rename from [^\n]+\nrename to [^\n]+\n(?:index [^\n]+\n)?)--- [^\n]+\n\+\+\+ [^\n]+\n/gm,
      '$1',
    )
}

/** Checks that the parser skipped nothing: it ignores unknown lines and miscounts truncated hunks. */
function assertAllRead(diff: string, files: readonly StructuredPatch[]): void {
  const hunks = files.flatMap((file) => file.hunks)
  const headers = [...diff.matchAll(/^@@(?: -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@)?/gm)]
  for (const [index, [header, oldCount = '1', newCount = '1']] of headers.entries()) {
    const hunk = hunks[index]
    if (header === '@@' || hunk === undefined) throw new DiffFault('the header of a hunk cannot be read')
    if (hunk.oldLines !== Number(oldCount) || hunk.newLines !== Number(newCount))
      throw new DiffFault(`a hunk has fewer lines than its header says: ${header}`)
  }
  const count = (lines: readonly string[]) => lines.filter((line) => /^[-+\\]/.test(line)).length
  const named = files.filter(({ oldHeader }) => oldHeader !== undefined).length * 2
  if (count(diff.split('\n')) !== named + count(hunks.flatMap(({ lines }) => lines)))
    throw new DiffFault('a hunk has more lines than its header says')
}

function toUnifiedFile(file: StructuredPatch, gitLine: string | undefined): UnifiedFile {
  const { hunks, oldMode, newMode } = file
  if (file.isCopy === true) throw new DiffFault('copies are not supported: add the file with its content')
  if (file.isBinary === true) throw new DiffFault('binary content is not supported')
  const mode = newMode ?? oldMode
  const wrongMode = [oldMode, newMode].find(
    (written) => written !== undefined && !/^100[0-7]{3}$/.test(written),
  )
  if (wrongMode !== undefined) throw new DiffFault(`mode ${wrongMode} is not that of a regular file`)
  const isCreated = file.isCreate === true || isAbsent(file.oldFileName, file.oldHeader)
  const isDeleted = file.isDelete === true || isAbsent(file.newFileName, file.newHeader)
  if (isCreated && isDeleted) throw new DiffFault('the names of the file cannot be read')
  if (hunks.length === 0 && !isCreated && !isDeleted && file.isRename !== true && newMode === undefined)
    throw new DiffFault('the file has neither hunks nor any other change')
  return {
    paths: file.isRename === true ? [renameOf(file)] : pathsOf(...namesOf(file, gitLine)),
    change: isCreated ? 'created' : isDeleted ? 'deleted' : 'changed',
    hunks,
    ...(mode === undefined || newMode === undefined
      ? {}
      : { isExecutable: (Number.parseInt(mode, 8) & 0o100) !== 0 }),
  }
}

/** `diff -N` dates a missing file to the epoch. */
function isAbsent(name: string | undefined, time = ''): boolean {
  return name === '/dev/null' || Date.parse(time.replace(/(\.\d{3})\d+/, '$1')) === 0
}

/** The parser prefixes them with `a/` and `b/`. */
function renameOf({ oldFileName = '', newFileName = '' }: StructuredPatch): DiffPaths {
  return { oldPath: oldFileName.slice(2), newPath: newFileName.slice(2) }
}

function namesOf(
  { oldFileName, newFileName }: StructuredPatch,
  gitLine: string | undefined,
): readonly [old: string, fresh: string] {
  const isNull = oldFileName === '/dev/null' || newFileName === '/dev/null'
  if (oldFileName !== undefined && newFileName !== undefined && !isNull) return [oldFileName, newFileName]
  const cut = gitLine === undefined ? undefined : cutNames(gitLine)
  if (cut !== undefined) return cut
  const name = oldFileName === '/dev/null' ? newFileName : oldFileName
  const below = name === undefined ? undefined : /^[abciow]\/(.+)$/s.exec(name)?.[1]
  return below === undefined ? [name ?? '', name ?? ''] : [`a/${below}`, `b/${below}`]
}

/** Splits `diff --git OLD NEW` where both names end alike. The parser handles quoted names. */
function cutNames(line: string): readonly [string, string] | undefined {
  const below = (name: string) => name.slice(name.indexOf('/') + 1)
  const cuts = [...line.matchAll(/ /g)].map(
    ({ index }) => [line.slice(0, index), line.slice(index + 1)] as const,
  )
  return line.includes('"') ? undefined : cuts.find(([old, fresh]) => below(old) === below(fresh))
}

/** Returns the common end of both names. If they are equal, the first folder may still be a prefix. */
function pathsOf(old: string, fresh: string): UnifiedFile['paths'] {
  const parts = old.split('/')
  const [path, below] = parts
    .map((_, index) => parts.slice(index).join('/'))
    .filter((end) => `/${fresh}`.endsWith(`/${end}`))
  if (path === undefined || path === '')
    throw new DiffFault(`${old} and ${fresh} are not the same, and nothing says that it is renamed`)
  const full = { oldPath: path, newPath: path }
  return old === fresh && below !== undefined ? [full, { oldPath: below, newPath: below }] : [full]
}

/** Differing lines up to which the minimal diff is searched: its time grows with the square. */
const maxDifferences = 1_500

/** Formats changes for people and for `git apply`. A non-UTF-8 file is only reported as different. */
export function unifiedDiffOf(changes: ChangeSet): string {
  const shown = new Map(changes.map((change) => [change.path, change]))
  for (const { path, movedFrom } of changes) {
    if (movedFrom !== undefined && movedFrom !== path && shown.get(movedFrom)?.after === null)
      shown.delete(movedFrom)
  }
  const befores = new Map(changes.map(({ path, before }) => [path, before]))
  return changes
    .filter(({ path }) => shown.has(path))
    .map((change) => formatFileDiff(change, befores))
    .join('')
}

function formatFileDiff(change: ChangedFile, befores: ReadonlyMap<string, FileImage | null>): string {
  const { path, after, movedFrom } = change
  const origin = movedFrom === undefined || change.before !== null ? undefined : befores.get(movedFrom)
  const before = origin ?? change.before
  const oldPath = origin === undefined || movedFrom === undefined ? path : movedFrom
  const hunks = hunksBetween(before, after)
  const [oldName, newName] = [`a/${oldPath}`, `b/${path}`]
  const [oldMode, newMode] = [gitMode(before), gitMode(after)]
  const isKept = before !== null && after !== null
  const names = [before === null ? '/dev/null' : oldName, after === null ? '/dev/null' : newName] as const
  const diff = formatPatch({
    oldFileName: names[0],
    newFileName: names[1],
    oldHeader: undefined,
    newHeader: undefined,
    hunks: hunks ?? [],
    isGit: true,
    isRename: oldPath !== path,
    isCreate: before === null,
    isDelete: after === null,
    ...(isKept && oldMode === newMode ? {} : { oldMode, newMode }),
  })
  return hunks === undefined ? `${diff}Binary files ${names.join(' and ')} differ\n` : diff
}

/** Git stores only the owner's executable bit. */
function gitMode(image: FileImage | null): string {
  return ((image?.mode ?? 0) & 0o100) === 0 ? '100644' : '100755'
}

/** @returns undefined if one of them is not UTF-8 */
function hunksBetween(
  before: FileImage | null,
  after: FileImage | null,
): StructuredPatch['hunks'] | undefined {
  if (before !== null && after !== null && sameBytes(before.bytes, after.bytes)) return []
  const [old, fresh] = [textOf(before), textOf(after)]
  if (old === undefined || fresh === undefined) return undefined
  const options = { context: 3, maxEditLength: maxDifferences }
  const patch = structuredPatch('', '', old, fresh, undefined, undefined, options)
  if (patch !== undefined) return patch.hunks
  // Very different texts become one hunk.
  const [gone, come] = [structuredPatch('', '', old, '').hunks, structuredPatch('', '', '', fresh).hunks]
  const [oldLines, newLines] = [gone[0]?.oldLines ?? 0, come[0]?.newLines ?? 0]
  return [
    { oldStart: 1, oldLines, newStart: 1, newLines, lines: [...gone, ...come].flatMap(({ lines }) => lines) },
  ]
}

function textOf(image: FileImage | null): string | undefined {
  if (image === null) return ''
  const decoded = decodeTextFile(image.bytes)
  return decoded.kind === 'text' && decoded.format.encoding === 'utf-8' ? textWithMark(decoded) : undefined
}
