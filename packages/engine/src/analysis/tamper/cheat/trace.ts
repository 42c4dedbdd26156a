/** What a reader finds in one source file that could cheat a check. */
import type { TamperRule } from '../rules.ts'

export interface Trace {
  readonly rule: Extract<TamperRule, `source.${string}`>
  /** From 1. */
  readonly line: number
  /** What was found, as short normalised source: what the baseline has with the same text is not new. */
  readonly text: string
  /** Honest code does it as well. */
  readonly atMost?: 'note'
}

/** A name of a test file, a runner or an assertion, within a string or a pattern. */
export const testWords = /\btests?\b|[._-]tests?\b|\btests?[._-]|\bspec\b|vitest|jest|mocha|pytest|unittest/iu

/** Variables that runners set for the process that they test in. */
export const runnerVariables =
  /^(?:VITEST\w*|JEST_WORKER_ID|NODE_TEST_CONTEXT|NODE_TEST_WORKER_ID|MOCHA_\w+|AVA_PATH|TAP|PLAYWRIGHT_TEST\w*|TEST_WORKER_INDEX|PYTEST_(?:CURRENT_TEST|VERSION|XDIST_WORKER)|NEXTEST\w*|RUST_TEST_\w+)$/u
