import { parse, type ParsedScript } from 'unbash'
import type { Script } from './follow/script.ts'
import type { ProgramKind } from './kinds.ts'

/** A command whose end may decide the line's. */
export interface Candidate {
  readonly node: object
  /** As it is written. */
  readonly text: string
  readonly kind: ProgramKind
  /** Why it says nothing of what it found, as the end of a sentence. */
  readonly deaf: string | undefined
}

/** What is watched for in one reading: the failure of one command, or its success. */
export interface Watch {
  readonly node: object
  readonly end: 'success' | 'failure'
}

/** What one reading of a line has in common, subshells and scripts included. */
export interface Reading {
  readonly watch: Watch | undefined
  readonly root: string
  /** Shared by all readings of one line. */
  readonly parsed: Map<string, ParsedScript | undefined>
  readonly candidates: Map<object, Candidate>
  /** The scripts that it came to. */
  readonly scripts: Map<string, Script>
  /** Scripts that end with success on every way, the innermost first. */
  readonly vacuous: Script[]
  /** Those that are being read: one that calls itself is not followed again. */
  readonly open: Set<string>
  /** Shared as well: so much patience there is for one line. */
  readonly patience: { steps: number }
  /** Why no more can be said. */
  unreadable: string | undefined
}

const maxSteps = 4_000

export function newReading(
  root: string,
  shared: Partial<Pick<Reading, 'watch' | 'parsed' | 'patience'>> = {},
): Reading {
  return {
    watch: undefined,
    parsed: new Map(),
    patience: { steps: maxSteps },
    ...shared,
    root,
    candidates: new Map(),
    scripts: new Map(),
    vacuous: [],
    open: new Set(),
    unreadable: undefined,
  }
}

/** Whether there is no more patience; then everything is possible. */
export function isExhausted(reading: Reading): boolean {
  reading.patience.steps -= 1
  if (reading.patience.steps < 0) reading.unreadable ??= 'it is too long, or nested too deep, to be followed'
  return reading.unreadable !== undefined
}

const maxTextLength = 256 * 1024

/** The same tree for the same text, so that a command can be watched for. Undefined: it cannot be read. */
export function parseText(text: string, { parsed }: Reading): ParsedScript | undefined {
  if (!parsed.has(text)) parsed.set(text, text.length > maxTextLength ? undefined : parseSafely(text))
  return parsed.get(text)
}

/** Brackets that are nested too deep are too much for the parser. */
function parseSafely(text: string): ParsedScript | undefined {
  try {
    const script = parse(text)
    return (script.errors ?? []).length > 0 ? undefined : script
  } catch {
    return undefined
  }
}
