/** Rules in the form in which they are looked up. */
import type { PolicyRule, PrefixRule } from '../rule.ts'

export interface Policy {
  /** All of them, in the order in which they were given. */
  readonly rules: readonly PolicyRule[]
  /** By each word that may stand first; a rule stands once for each time that its pattern names the word. */
  readonly byProgram: ReadonlyMap<string, readonly PrefixRule[]>
  /** The paths at which a program may be found; of two lists for a name the last one holds. */
  readonly hostPaths: ReadonlyMap<string, ReadonlySet<string>>
}

/** Builds the index once: looking up a command costs what the rules for its program cost. */
export function policyOf(rules: readonly PolicyRule[]): Policy {
  const byProgram = new Map<string, readonly PrefixRule[]>()
  for (const rule of rules.filter((one) => one.kind === 'prefix'))
    for (const program of rule.pattern[0]) byProgram.set(program, [...(byProgram.get(program) ?? []), rule])
  const hosts = rules.filter((rule) => rule.kind === 'host-executable')
  const hostPaths = new Map(hosts.map(({ name, paths }) => [name, new Set(paths)]))
  return { rules: [...rules], byProgram, hostPaths }
}
