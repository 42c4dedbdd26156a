import type { TamperRule } from './rules.ts'

export interface TamperFinding {
  readonly rule: TamperRule
  /** Relative to the work folder, `/` between its parts; for `outside.touched` absolute. */
  readonly path: string
  /** From 1: in the new text, or in the old one where the thing is gone. */
  readonly line?: number
  /** What was found, in one sentence that names the test or the key. */
  readonly message: string
  /** Usual in honest work as well: no more than a note. */
  readonly atMost?: 'note'
}
