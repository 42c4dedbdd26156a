import type { CommandWords } from '../../../analysis/shell/index.ts'

/** What is said of a danger, be it a command, a path or a whole line. */
export interface Danger {
  readonly name: string
  /** `forbidden`: in any case, and nobody can take it out. `dangerous`: it is asked for, and refused where nobody is asked. */
  readonly severity: 'forbidden' | 'dangerous'
  /** One sentence, for the model: what is lost, or what to do instead. */
  readonly justification: string
}

/** One built-in rule. */
export interface BuiltInRule extends Danger {
  /** Names without folders; `mkfs.*` means every name that begins so. */
  readonly programs: readonly string[]
  /** One of these, such as `system prune`; the arguments are then those after it. */
  readonly subcommands?: readonly string[]
  /** What the arguments must be like; absent: whatever they are. */
  readonly finds?: (command: CommandWords, place: CommandLocation) => boolean
  /** A word that is only known when it runs is not suspected of it. */
  readonly onlyLiteral?: true
}

/** Rules of which none forbids. */
export function dangerous(rules: readonly Omit<BuiltInRule, 'severity'>[]): readonly BuiltInRule[] {
  return rules.map((rule) => ({ ...rule, severity: 'dangerous' }))
}

/** Where the command runs. */
export interface CommandLocation {
  /** Absolute. */
  readonly workFolder: string
  /** Absolute; where the command line starts. */
  readonly folder: string
  /** Absolute; null: not known. */
  readonly homeFolder: string | null
  /** Where a path leads, with every link followed, also where it does not exist. Absent: nothing is looked at. */
  readonly realPath?: (absolutePath: string) => string
}
