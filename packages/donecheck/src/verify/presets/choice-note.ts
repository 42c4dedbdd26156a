import type { CheckKind } from '../project/detected.ts'

/** The line of a preset, and why it is this one. */
export interface Choice {
  readonly kind: 'chosen'
  readonly line: string
  readonly why: string
}

/** For people, and to be read again after a resume. */
export function noteOfChoice(check: CheckKind, { line, why }: Choice): string {
  return `detected ${JSON.stringify(line)} for ${check}: ${why}`
}

/** Undefined: it is no such note. */
export function readNote(check: CheckKind, text: string): Choice | undefined {
  const [, quoted, kind, why] = /^detected ("(?:[^"\\]|\\.)*") for (\w+): (.*)$/s.exec(text) ?? []
  if (quoted === undefined || why === undefined || kind !== check) return undefined
  const line: unknown = unquoted(quoted)
  return typeof line === 'string' && line.trim() !== '' ? { kind: 'chosen', line, why } : undefined
}

function unquoted(quoted: string): unknown {
  try {
    return JSON.parse(quoted)
  } catch {
    return undefined
  }
}
