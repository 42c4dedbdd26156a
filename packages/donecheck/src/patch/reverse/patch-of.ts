import type { ChangedFile, ChangeSet, FileImage } from '../change-set.ts'
import { placeChunks } from '../place/place-chunks.ts'
import { changeText } from '../place/change-text.ts'
import { plainMode } from '../plan/file-operations.ts'
import { sameBytes } from '../plan/overlay.ts'
import { beginMarker, endMarker, endOfFileMarker, noNewlineMarker } from '../parse-markers.ts'
import { parsePatch } from '../parse.ts'
import { decodeTextFile } from '../text/text-file.ts'
import { decodeUtf8 } from '../utf8.ts'
import { editsBetween, hunkLinesOf, hunksOf, linesWithEnds, type HunkLine } from '../unified/edit-script.ts'

/** Lines around each change: more of them where fewer fit at several places. */
const contextSizes = [3, 12, 100] as const

/**
 * The changes as a V4A patch. Undefined where that form has no words for them: binary content, modes, other line ends or
 * encodings. A patch that is returned gives these very bytes on these very files.
 */
export function patchOf(changes: ChangeSet): string | undefined {
  const parts: string[] = []
  const deletions: string[] = []
  for (const change of changes) {
    if (!isWritable(change.path)) return undefined
    if (change.after === null) {
      deletions.push(`*** Delete File: ${change.path}`)
      continue
    }
    const part =
      change.before === null
        ? additionOf(change.path, change.after)
        : updateOf(change, change.before, change.after)
    if (part === undefined) return undefined
    parts.push(part)
  }
  // First the deletions: a file may stand where a folder was.
  return [beginMarker, ...deletions, ...parts, endMarker].join('\n') + '\n'
}

/** A name with blanks at its ends, or another space in it, would be read as another. */
function isWritable(path: string): boolean {
  return path === path.trim() && !/[\\\p{Cc}\p{Cs}]/u.test(path) && !/^[a-z]:/i.test(path)
}

function additionOf(path: string, { bytes, mode }: FileImage): string | undefined {
  const decoded = decodeUtf8(bytes)
  if (decoded.kind !== 'text' || mode !== plainMode || !isPlain(decoded.text)) return undefined
  const lines = linesWithEnds(decoded.text).flatMap((line) => signed({ sign: '+', line }))
  return [`*** Add File: ${path}`, ...lines].join('\n')
}

function updateOf({ path }: ChangedFile, before: FileImage, after: FileImage): string | undefined {
  if (before.mode !== after.mode) return undefined
  const [old, fresh] = [decodeTextFile(before.bytes), decodeTextFile(after.bytes)]
  if (old.kind !== 'text' || fresh.kind !== 'text') return undefined
  // In the patch every line ends in a line feed; what stands in the file is found out by trying.
  const [oldLines, newLines] = [unixLines(old.text), unixLines(fresh.text)]
  const edits = editsBetween(oldLines, newLines)
  for (const size of [...contextSizes, oldLines.length]) {
    const chunks = hunksOf(edits, size).map((hunk) => {
      const { lines } = hunkLinesOf(oldLines, newLines, hunk, size)
      const isAtEnd = lines.every(({ sign }) => sign === '+')
      return ['@@', ...lines.flatMap(signed), ...(isAtEnd ? [endOfFileMarker] : [])].join('\n')
    })
    const part = [`*** Update File: ${path}`, ...chunks].join('\n')
    if (gives(part, before, after)) return part
  }
  return undefined
}

function unixLines(text: string): readonly string[] {
  return linesWithEnds(text.replaceAll('\r\n', '\n'))
}

function signed({ sign, line }: HunkLine): readonly string[] {
  return line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, noNewlineMarker]
}

/** Whether a text comes out of a patch as it went in. */
function isPlain(text: string): boolean {
  return (
    !text.includes('\r') &&
    !/[\uD800-\uDFFF](?![\uDC00-\uDFFF])/.test(text.replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g, ''))
  )
}

function gives(part: string, before: FileImage, after: FileImage): boolean {
  const parsed = parsePatch(`${beginMarker}\n${part}\n${endMarker}`, { dialect: 'strict' })
  const hunk = parsed.kind === 'patch' ? parsed.hunks[0] : undefined
  if (hunk?.kind !== 'update' || (parsed.kind === 'patch' && parsed.hunks.length !== 1)) return false
  const place = (file: Parameters<typeof placeChunks>[0]) => placeChunks(file, hunk.chunks)
  const changed = changeText(before, { path: hunk.path, line: 1, loneReturns: 'end', place })
  return changed.kind === 'changed' && sameBytes(changed.image.bytes, after.bytes)
}
