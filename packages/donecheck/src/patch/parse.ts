import type { ParsedPatch, PatchDialect } from './hunk.ts'
import { frameOf } from './parse-frame.ts'
import { HunkReader } from './parse-hunks.ts'
import { endMarker } from './parse-markers.ts'
import { decodeUtf8 } from './utf8.ts'

export interface ParseOptions {
  /** Default: `codex`. */
  readonly dialect?: PatchDialect
}

/** Reads a patch in the V4A form. Nothing of it is taken where a part is invalid. */
export function parsePatch(patch: string | Uint8Array, options: ParseOptions = {}): ParsedPatch {
  const decoded = typeof patch === 'string' ? { kind: 'text' as const, text: patch } : decodeUtf8(patch)
  if (decoded.kind === 'invalid') return { kind: 'invalid', message: `Invalid patch: ${decoded.problem}` }
  const frame = frameOf(decoded.text)
  if (frame.kind === 'invalid') return frame
  const reader = new HunkReader(options.dialect ?? 'codex')
  const end = frame.lines.length - 1
  for (const [index, text] of frame.lines.entries()) {
    if (index === 0) continue
    const invalid = reader.read(index === end ? endMarker : text, index + 1)
    if (invalid !== undefined) return { kind: 'invalid', ...invalid }
  }
  const { hunks, environmentId } = reader
  return { kind: 'patch', hunks, ...(environmentId === undefined ? {} : { environmentId }) }
}
