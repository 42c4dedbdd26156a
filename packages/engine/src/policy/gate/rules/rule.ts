/** The rules of a policy, wherever they were written. */
import type { GateKind } from '@donecheck/core/internal/events/gate'

export type RuleDecision = GateKind

/** No layer is stronger than another: the most severe decision of all layers wins. */
export type RuleLayer = 'built-in' | 'user' | 'project' | 'run'

export interface RuleSource {
  readonly layer: RuleLayer
  /** As it was given. */
  readonly file?: string
  /** From 1. */
  readonly line?: number
}

/** Rules of the project could have been written by the agent. */
export function isOfPerson({ layer }: RuleSource): boolean {
  return layer === 'user' || layer === 'run'
}

/** One position of a prefix: the words that may stand there. */
export type PatternToken = readonly [string, ...string[]]

export interface PrefixRule {
  readonly kind: 'prefix'
  readonly pattern: readonly [PatternToken, ...PatternToken[]]
  readonly decision: RuleDecision
  readonly justification?: string
  readonly source: RuleSource
  /** Examples, as words. */
  readonly match: readonly (readonly string[])[]
  readonly notMatch: readonly (readonly string[])[]
  /** Exempts what it allows from the built-in rules. Only `allow` rules have it, and it is ignored in the layer `project`. */
  readonly overridesBuiltInRules?: true
}

export interface HostExecutable {
  readonly kind: 'host-executable'
  readonly name: string
  readonly paths: readonly string[]
  readonly source: RuleSource
}

/** A rule about the targets of redirections and of changes of files. */
export interface PathRule {
  readonly kind: 'path'
  /** Globs relative to the work folder, or absolute. */
  readonly paths: readonly string[]
  readonly decision: RuleDecision
  readonly justification?: string
  readonly source: RuleSource
}

export type PolicyRule = PrefixRule | HostExecutable | PathRule

/** Both from 1; the column in UTF-16 units. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** What is wrong with a rule, and in a rule file where. The public functions turn it into a value or a `UsageError`. */
export class RuleFault extends Error {
  override readonly name = 'RuleFault'
  readonly position: Position | undefined

  constructor(problem: string, position?: Position) {
    super(problem)
    this.position = position
  }
}
