import type { RuleSource } from '../rules/rule.ts'

export type LintKind =
  /** Another rule decides wherever this one matches. */
  | 'shadowed'
  | 'duplicate'
  /** No command has such words. */
  | 'never-matches'
  /** It matches less than it seems to. */
  | 'easily-passed'
  /** An example of this rule is decided otherwise by all rules together. */
  | 'contradictory-example'
  /** Whoever may run an interpreter may run everything. */
  | 'allows-everything'
  /** The built-in floor asks all the same, or the layer may not take anything out of it. */
  | 'floor'

export interface LintFinding {
  readonly kind: LintKind
  /** Such as `prefix_rule git push`. */
  readonly rule: string
  readonly source: RuleSource
  /** One sentence that says what to do. */
  readonly message: string
}
