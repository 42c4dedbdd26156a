import { patchLinesOf, trimBoth } from './lines.ts'
import { beginMarker, endMarker } from './parse-markers.ts'

export type Frame =
  /** From the begin line to the end line. */
  | { readonly kind: 'frame'; readonly lines: readonly string[] }
  | { readonly kind: 'invalid'; readonly message: string }

export const firstLineMessage = `Invalid patch: The first line of the patch must be '${beginMarker}'`
export const lastLineMessage = `Invalid patch: The last line of the patch must be '${endMarker}'`

export const heredocs: readonly string[] = ['<<EOF', "<<'EOF'", '<<"EOF"']

/** Finds the envelope; white space and one here-document around it are taken off. */
export function frameOf(text: string): Frame {
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
