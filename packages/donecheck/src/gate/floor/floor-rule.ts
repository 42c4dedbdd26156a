import type { CommandWords } from './command-words.ts'

/** One row of the built-in floor. */
export interface FloorRule {
  readonly name: string
  /** `forbidden`: in any case, and nobody can take it out. `dangerous`: it is asked for, and refused where nobody is asked. */
  readonly severity: 'forbidden' | 'dangerous'
  /** One sentence, for the model: what is lost, or what to do instead. */
  readonly justification: string
  /** Names without folders; `mkfs.*` means every name that begins so. */
  readonly programs: readonly string[]
  /** One of these, such as `system prune`; the arguments are then those after it. */
  readonly subcommands?: readonly string[]
  /** What the arguments must be like; absent: whatever they are. */
  readonly finds?: (command: CommandWords, place: FloorPlace) => boolean
  /** A word that is only known when it runs is not suspected of it. */
  readonly onlyLiteral?: true
}

/** Where the command runs. */
export interface FloorPlace {
  /** Absolute. */
  readonly workFolder: string
  /** Absolute; where the command line starts. */
  readonly folder: string
  /** Absolute; null: not known. */
  readonly homeFolder: string | null
  /** Where a path leads, with every link followed, also where it does not exist. Absent: nothing is looked at. */
  readonly realPath?: (absolutePath: string) => string
}
