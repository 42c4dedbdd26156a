import type { ChangedFile, ChangeSet, FileImage } from '../change-set.ts'
import { sameBytes } from '../plan/overlay.ts'
import {
  decodeTextFile,
  isAscii,
  textWithMark,
  plainUtf8,
  type TextFile,
  type TextFormat,
} from '../text/text-file.ts'
import { editsBetween, hunkLinesOf, hunksOf, linesWithEnds, type HunkLines } from './edit-script.ts'
import { quotePath } from './quoted-path.ts'

const contextLines = 3
const noNewline = '\\ No newline at end of file'

/**
 * What the changes come to, for people and for `git apply`. A text that is not UTF-8 is shown where `git apply` makes the
 * same bytes of it or refuses it; what cannot be shown is said to differ.
 */
export function unifiedDiffOf(changes: ChangeSet): string {
  const left = new Map(changes.map((change) => [change.path, change]))
  for (const { path, movedFrom } of changes) {
    if (movedFrom !== undefined && movedFrom !== path && left.get(movedFrom)?.after === null)
      left.delete(movedFrom)
  }
  const befores = new Map(changes.map(({ path, before }) => [path, before]))
  return changes
    .filter(({ path }) => left.has(path))
    .map((change) => fileDiffOf(change, befores))
    .join('')
}

function fileDiffOf(change: ChangedFile, befores: ReadonlyMap<string, FileImage | null>): string {
  const { path, after, movedFrom } = change
  const origin = movedFrom === undefined || change.before !== null ? undefined : befores.get(movedFrom)
  const before = origin ?? change.before
  const oldPath = origin === undefined || movedFrom === undefined ? path : movedFrom
  const lines = [`diff --git ${quotePath(`a/${oldPath}`)} ${quotePath(`b/${path}`)}`]
  lines.push(...modeLines(before, after))
  if (oldPath !== path) lines.push(`rename from ${quotePath(oldPath)}`, `rename to ${quotePath(path)}`)
  const [oldName, newName] = [nameOf('a/', oldPath, before), nameOf('b/', path, after)]
  const all = [...lines, ...contentLines(before, after, oldName, newName)]
  return all.map((line) => `${line}\n`).join('')
}

function modeLines(before: FileImage | null, after: FileImage | null): readonly string[] {
  if (before === null) return after === null ? [] : [`new file mode ${gitMode(after)}`]
  if (after === null) return [`deleted file mode ${gitMode(before)}`]
  const [from, to] = [gitMode(before), gitMode(after)]
  return from === to ? [] : [`old mode ${from}`, `new mode ${to}`]
}

/** Of the mode it knows only whether the owner may run it. */
function gitMode({ mode }: FileImage): string {
  return (mode & 0o100) === 0 ? '100644' : '100755'
}

/** A name with a blank in it ends in a tab, so that no time is read out of it. */
function nameOf(prefix: string, path: string, image: FileImage | null): string {
  if (image === null) return '/dev/null'
  const name = quotePath(prefix + path)
  return name.includes(' ') && !name.startsWith('"') ? `${name}\t` : name
}

function contentLines(
  before: FileImage | null,
  after: FileImage | null,
  oldName: string,
  newName: string,
): readonly string[] {
  if (before !== null && after !== null && sameBytes(before.bytes, after.bytes)) return []
  const [old, fresh] = [textOf(before), textOf(after)]
  const binary = [`Binary files ${oldName.trimEnd()} and ${newName.trimEnd()} differ`]
  if (old === undefined || fresh === undefined || !isComparable(old, fresh)) return binary
  const [oldLines, newLines] = [linesWithEnds(textWithMark(old)), linesWithEnds(textWithMark(fresh))]
  const edits = editsBetween(oldLines, newLines)
  if (edits.length === 0) return []
  const hunks = hunksOf(edits, contextLines).map((hunk) =>
    hunkLinesOf(oldLines, newLines, hunk, contextLines),
  )
  if (hunks.some((hunk) => isMistakable(hunk, fresh.format))) return binary
  return [`--- ${oldName}`, `+++ ${newName}`, ...hunks.flatMap(hunkText)]
}

/** Whether it would fit when read as UTF-8, and put other bytes into the file than are meant. */
function isMistakable({ lines }: HunkLines, { encoding }: TextFormat): boolean {
  if (encoding === 'utf-8') return false
  const telling = lines.filter(({ line }) => encoding !== '8-bit' || !isAscii(line))
  return telling.length > 0 && telling.every(({ sign }) => sign === '+')
}

const noFile: TextFile = { kind: 'text', text: '', format: plainUtf8 }

/** Undefined: no text. */
function textOf(image: FileImage | null): TextFile | undefined {
  const decoded = image === null ? noFile : decodeTextFile(image.bytes)
  return decoded.kind === 'text' && !decoded.text.includes('\0') ? decoded : undefined
}

/** Whether equal characters are equal bytes. */
function isComparable(one: TextFile, other: TextFile): boolean {
  const encodings = [one, other].map(({ format }) => format.encoding)
  if (one.text === '' || other.text === '' || encodings[0] === encodings[1]) return true
  const isWide = encodings.some((encoding) => encoding.startsWith('utf-16'))
  return !isWide && (isAscii(one.text) || isAscii(other.text))
}

function hunkText({ lines, oldStart, newStart }: HunkLines): readonly string[] {
  const range = (start: number, without: string) => {
    const count = lines.filter(({ sign }) => sign !== without).length
    return `${count === 0 ? start : start + 1}${count === 1 ? '' : `,${count}`}`
  }
  const body = lines.flatMap(({ sign, line }) =>
    line.endsWith('\n') ? [`${sign}${line.slice(0, -1)}`] : [`${sign}${line}`, noNewline],
  )
  return [`@@ -${range(oldStart, '+')} +${range(newStart, '-')} @@`, ...body]
}
