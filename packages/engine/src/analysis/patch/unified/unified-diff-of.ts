import { structuredPatch, type StructuredPatchHunk } from 'diff'
import type { ChangedFile, ChangeSet, FileImage } from '../change-set.ts'
import { sameBytes } from '../plan/overlay.ts'
import {
  decodeTextFile,
  isAscii,
  textWithMark,
  plainUtf8,
  type TextFile,
  type TextFormat,
} from '../text-file.ts'
import { quotePath } from './quoted-path.ts'

/** The smallest change is looked for up to so many lines that differ: the time for it grows with the square. */
const maxDifferences = 1_500

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
  const hunks = hunksBetween(textWithMark(old), textWithMark(fresh))
  if (hunks.length === 0) return []
  if (hunks.some((hunk) => isMistakable(hunk, fresh.format))) return binary
  return [`--- ${oldName}`, `+++ ${newName}`, ...hunks.flatMap(hunkText)]
}

/** Texts that differ very much are one hunk. */
function hunksBetween(before: string, after: string): readonly StructuredPatchHunk[] {
  const options = { context: 3, maxEditLength: maxDifferences }
  const patch = structuredPatch('', '', before, after, undefined, undefined, options)
  if (patch !== undefined) return patch.hunks
  const [gone, come] = [structuredPatch('', '', before, '').hunks, structuredPatch('', '', '', after).hunks]
  const [oldLines, newLines] = [gone[0]?.oldLines ?? 0, come[0]?.newLines ?? 0]
  return [
    { oldStart: 1, oldLines, newStart: 1, newLines, lines: [...gone, ...come].flatMap(({ lines }) => lines) },
  ]
}

/** Whether it would fit when read as UTF-8, and put other bytes into the file than are meant. */
function isMistakable({ lines }: StructuredPatchHunk, { encoding }: TextFormat): boolean {
  if (encoding === 'utf-8') return false
  const telling = lines.filter((line) => !line.startsWith('\\') && (encoding !== '8-bit' || !isAscii(line)))
  return telling.length > 0 && telling.every((line) => line.startsWith('+'))
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

function hunkText({ lines, oldStart, oldLines, newStart, newLines }: StructuredPatchHunk): readonly string[] {
  const range = (start: number, count: number) =>
    `${count === 0 ? start - 1 : start}${count === 1 ? '' : `,${count}`}`
  return [`@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`, ...lines]
}
