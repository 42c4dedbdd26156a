import type { FileImage } from '../change-set.ts'
import type { PatchProblem } from '../plan/plan.ts'
import { joinLines, splitLines, type FileLine } from '../text/file-lines.ts'
import { canHold, decodeTextFile, encodeTextFile } from '../text/text-file.ts'
import { applyChunks } from './apply-chunks.ts'
import type { PlacedChunks } from './place-chunks.ts'
import { soughtFile, type SoughtFile } from './sought-file.ts'

export type ChangedImage =
  | { readonly kind: 'changed'; readonly image: FileImage; readonly notes: readonly string[] }
  | { readonly kind: 'failed'; readonly problems: readonly PatchProblem[] }

export interface TextChange {
  readonly path: string
  /** In the patch, of what asks for the change. */
  readonly line: number
  readonly loneReturns: 'end' | 'content'
  readonly place: (file: SoughtFile) => PlacedChunks
}

/** Changes a file as a text. Its encoding, byte order mark and mode stay. */
export function changeText(image: FileImage, change: TextChange): ChangedImage {
  const { path, line: patchLine } = change
  const decoded = decodeTextFile(image.bytes)
  if (decoded.kind === 'not-text') {
    const message = `${path} ${decoded.problem}, so it cannot be changed as a text`
    return { kind: 'failed', problems: [{ kind: 'not-text', message, path, patchLine }] }
  }
  const lines = splitLines(decoded.text, change.loneReturns)
  const { placed, problems, notes } = change.place(soughtFile(path, lines))
  if (problems.length > 0) return { kind: 'failed', problems }
  const applied = applyChunks(path, lines, placed)
  if (applied.kind === 'failed') return { kind: 'failed', problems: [applied.problem] }
  const unknown = placed
    .flatMap((chunk) => chunk.lines)
    .find(({ kind, text }) => kind === 'added' && !canHold(decoded.format, text))
  if (unknown !== undefined) {
    const message = `${path} is neither UTF-8 nor UTF-16, so only ASCII can be put into it: ${JSON.stringify(unknown.text.slice(0, 120))} is not`
    return { kind: 'failed', problems: [{ kind: 'not-text', message, path, patchLine }] }
  }
  const bytes = sameLines(lines, applied.lines)
    ? image.bytes
    : encodeTextFile(joinLines(applied.lines), decoded.format)
  return { kind: 'changed', image: { bytes, mode: image.mode }, notes }
}

function sameLines(before: readonly FileLine[], after: readonly FileLine[]): boolean {
  return (
    before.length === after.length &&
    before.every(({ text, end }, index) => after[index]?.text === text && after[index].end === end)
  )
}
