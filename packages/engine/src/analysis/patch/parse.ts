import type { ParsedPatch, PatchDialect } from './hunk.ts'
import { HunkReader } from './parse-hunks.ts'
import { beginMarker, endMarker, lastLineMessage } from './parse-markers.ts'
import { decodeUtf8 } from './utf8.ts'
import { patchLinesOf, trimBoth } from './lines.ts'

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

type Frame =
  /** From the begin line to the end line. */
  | { readonly kind: 'frame'; readonly lines: readonly string[] }
  | { readonly kind: 'invalid'; readonly message: string }

const firstLineMessage = `Invalid patch: The first line of the patch must be '${beginMarker}'`

const heredocs: readonly string[] = ['<<EOF', "<<'EOF'", '<<"EOF"']

/** Finds the envelope; white space and one here-document around it are taken off. */
function frameOf(text: string): Frame {
  const trimmed = trimBoth(text)
  if (trimmed === '') return { kind: 'invalid', message: lastLineMessage }
  const lines = patchLinesOf(trimmed)
  const problem = problemOf(lines)
  if (problem === undefined) return { kind: 'frame', lines }
  const inner = insideHeredoc(lines)
  const innerProblem = inner === undefined ? problem : problemOf(inner)
  if (inner === undefined || innerProblem !== undefined)
    return { kind: 'invalid', message: innerProblem ?? problem }
  return { kind: 'frame', lines: inner }
}

function problemOf(lines: readonly string[]): string | undefined {
  if (trimBoth(lines[0] ?? '') !== beginMarker) return firstLineMessage
  return trimBoth(lines.at(-1) ?? '') === endMarker ? undefined : lastLineMessage
}

function insideHeredoc(lines: readonly string[]): readonly string[] | undefined {
  const isHeredoc =
    lines.length >= 4 && heredocs.includes(lines[0] ?? '') && (lines.at(-1) ?? '').endsWith('EOF')
  return isHeredoc ? lines.slice(1, -1) : undefined
}
