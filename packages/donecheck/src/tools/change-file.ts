import { Buffer } from 'node:buffer'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { PreparedCall, ToolOutcome } from '../ports.ts'
import { hasMoved, type ConfinedPath } from './confine.ts'
import { invalid } from './define-tool.ts'
import { previewDiff, type DiffPreview } from './diff-preview.ts'
import { oneLine } from './one-line.ts'
import { done, failed } from './outcome.ts'
import { readBytes, type FileBytes } from './read-bytes.ts'
import { decodeText, linesOf } from './text-file.ts'
import { writeAtomically } from './write-atomically.ts'

export interface ChangeRequest {
  readonly workFolder: string
  /** As the model gave it. */
  readonly path: string
  readonly file: ConfinedPath
  readonly verb: 'write' | 'edit'
  readonly before: ExistingFile | undefined
  readonly after: Buffer
}

export type ExistingFile = Extract<FileBytes, { kind: 'file' }>

/** A call that gives a file another content: shown as a diff, done only while the file is what the diff was made of. */
export function changeFile(request: ChangeRequest): PreparedCall {
  const { file, verb, before, after } = request
  if (before !== undefined && (before.mode & 0o222) === 0)
    return invalid(`${file.relative} is read-only (mode ${before.mode.toString(8)})`)
  const { added, removed, text } = previewOf(request)
  const lines = linesOf(after.toString()).length
  const change =
    before === undefined ? `new, ${lines} ${lines === 1 ? 'line' : 'lines'}` : `+${added} -${removed}`
  const summary = `${verb} ${oneLine(file.relative)} (${change})`
  return { kind: 'ready', summary, preview: text, run: () => apply(request, `${summary}: done`) }
}

/** Line endings and byte order marks are shown where they would change, and only there. */
function previewOf({ file, before, after }: ChangeRequest): DiffPreview {
  if (before === undefined) return previewDiff(file.relative, null, after.toString())
  const [old, young] = [decodeText(before.bytes), decodeText(after)]
  const isAlike = old.kind === 'text' && young.kind === 'text' && isDeepStrictEqual(old.format, young.format)
  return isAlike
    ? previewDiff(file.relative, old.text, young.text)
    : previewDiff(file.relative, before.bytes.toString(), after.toString())
}

/** Larger files are not compared with what they were. */
export const longestChangedBytes = 8 * 1024 * 1024

async function apply(request: ChangeRequest, told: string): Promise<ToolOutcome> {
  const { workFolder, path, file, before, after } = request
  const refusal = (await hasMoved(workFolder, path, file)) ?? (await hasChanged(file, before))
  if (refusal !== undefined) return failed(refusal)
  if (before?.bytes.equals(after)) return { ...done(`${told}, and nothing has changed`), changed: false }
  await mkdir(dirname(file.absolute), { recursive: true })
  const moved = await hasMoved(workFolder, path, file)
  if (moved !== undefined) return failed(moved)
  await writeAtomically(file.absolute, after, before?.mode)
  return done(told)
}

/** Nobody has agreed to overwrite what came in between. */
async function hasChanged(file: ConfinedPath, before: ExistingFile | undefined): Promise<string | undefined> {
  const now = await readBytes(file.absolute, longestChangedBytes)
  const bytes = now.kind === 'file' ? now.bytes : Buffer.alloc(0)
  const isSame =
    before === undefined ? now.kind === 'missing' : now.kind === 'file' && bytes.equals(before.bytes)
  return isSame ? undefined : `${file.relative} has changed since the call was prepared: read it again`
}
