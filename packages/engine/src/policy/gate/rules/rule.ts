/** The rules of a policy, whatever they were written in. */
import type { GateKind } from '@donecheck/core/gate'

export type RuleDecision = GateKind

/** From the weakest to the strongest of two equal layers nothing follows: the most severe decision wins, in all layers. */
export type RuleLayer = 'built-in' | 'user' | 'project' | 'run'

export interface RuleSource {
  readonly layer: RuleLayer
  /** As it was given. */
  readonly file?: string
  /** From 1. */
  readonly line?: number
}

/** Those of the project could have been written by the agent. */
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
  /**
   * Options that stand between the words of the prefix are passed over: `git -C x push` matches `git push`. An `allow` passes
   * over known options only, and never over one that changes what is run, such as `git -c`.
   */
  readonly skipOptions?: boolean
  /** Takes what it allows out of the built-in rules. Of `allow` rules alone, and not heeded in the layer `project`. */
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

/** One that matched a command of literal words. */
export interface PrefixMatch {
  readonly rule: PrefixRule
  /** As many words of the command as the prefix has; with passed-over options the words that matched. */
  readonly matchedPrefix: readonly string[]
  /** Which words of the command they are. */
  readonly wordIndexes: readonly number[]
  /** Where the rule was found by the name of a program that was given as a path. */
  readonly resolvedProgram?: string
}
