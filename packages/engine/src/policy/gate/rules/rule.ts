import type { GateKind } from '@donecheck/core/internal/events/gate'

export type RuleDecision = GateKind

/** No layer is stronger: the most severe decision wins. */
export type RuleLayer = 'built-in' | 'user' | 'project' | 'run'

export interface RuleSource {
  readonly layer: RuleLayer
  readonly file?: string
  readonly line?: number
}

/** The agent could have written project rules. */
export function isOfPerson({ layer }: RuleSource): boolean {
  return layer === 'user' || layer === 'run'
}

export type PatternToken = readonly [string, ...string[]]

export interface PrefixRule {
  readonly kind: 'prefix'
  readonly pattern: readonly [PatternToken, ...PatternToken[]]
  readonly decision: RuleDecision
  readonly justification?: string
  readonly source: RuleSource
  readonly match: readonly (readonly string[])[]
  readonly notMatch: readonly (readonly string[])[]
  /** Exempts what it allows from the built-in rules. `allow` rules only; ignored in the layer `project`. */
  readonly overridesBuiltInRules?: true
}

export interface HostExecutable {
  readonly kind: 'host-executable'
  readonly name: string
  readonly paths: readonly string[]
  readonly source: RuleSource
}

/** Matches targets of redirections and file changes. */
export interface PathRule {
  readonly kind: 'path'
  /** Globs, absolute or relative to the work folder. */
  readonly paths: readonly string[]
  readonly decision: RuleDecision
  readonly justification?: string
  readonly source: RuleSource
}

export type PolicyRule = PrefixRule | HostExecutable | PathRule

/** Both from 1; columns in UTF-16 units. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** Invalid rule with its position. Public functions convert it to a value or `UsageError`. */
export class RuleFault extends Error {
  override readonly name = 'RuleFault'
  readonly position: Position | undefined

  constructor(problem: string, position?: Position) {
    super(problem)
    this.position = position
  }
}
