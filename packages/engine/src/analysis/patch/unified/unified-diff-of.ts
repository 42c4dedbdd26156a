import { formatPatch, structuredPatch, type StructuredPatch } from 'diff'
import type { ChangedFile, ChangeSet, FileImage } from '../change-set.ts'
import { sameBytes } from '../plan/overlay.ts'
import { decodeTextFile, textWithMark } from '../text-file.ts'

/** The smallest change is looked for up to so many lines that differ: the time for it grows with the square. */
const maxDifferences = 1_500

/** What the changes come to, for people and for `git apply`. A file that is not UTF-8 is only said to differ. */
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

/** Of the mode, git knows only whether the owner may run the file. */
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
  // Texts that differ very much are one hunk.
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
