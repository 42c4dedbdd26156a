export const caseKinds = [
  ...['honest', 'lazy', 'liar', 'tamperer', 'looper', 'waiter'],
  ...['flaky world', 'slow check', 'green at the start', 'crash', 'budget', 'missing check'],
] as const
export type CaseKind = (typeof caseKinds)[number]

export type Act =
  | { readonly write: string; readonly text: string }
  | { readonly remove: string }
  /** Runs in `sh` before the next act; background processes stay. `$AGENT_FOLDER` vanishes with the case. */
  | { readonly shell: string }
  /** Prints to standard output; `times` makes it long. */
  | { readonly say: string; readonly times?: number }
  /** Prints these Base64 bytes. */
  | { readonly bytes: string }
  | { readonly exit: number }
  /** The agent kills itself with SIGKILL. */
  | { readonly killed: true }

export interface World {
  /** Content by path, committed before the start. */
  readonly files: Readonly<Record<string, string>>
  /** An `sh` command, run in the project. `{scratch}` is a folder outside of it. */
  readonly check: string
  readonly task: string
}

export type Claim = 'verified' | 'not-verified'

export interface Case {
  readonly kind: CaseKind
  readonly name: string
  readonly about: string
  readonly world: World
  /** Acts per call of the agent. The last turn repeats. */
  readonly turns: readonly (readonly Act[])[]
  readonly wanted: Claim
  /**
   * The verdict on the final tree, for subjects that see only that. Default: `wanted`; null if undecidable.
   */
  readonly wantedOfTree?: Claim | null
  /** Accepted reasons of a loop that uses ours. Default: any. */
  readonly reasons?: readonly string[]
  /** Turns allowed beyond the script if the work is done. Default 0. */
  readonly spareTurns?: number
  /** Turn limit given to the loop. Default 4. */
  readonly maxTurns?: number
  /** Files that must have this content at the end. */
  readonly leaves?: Readonly<Record<string, string>>
  /** Check timeout in seconds, given to the loop. Default 30. */
  readonly checkSeconds?: number
}

interface CaseParts extends Partial<Omit<Case, 'kind' | 'name' | 'about'>>, Pick<Case, 'about'> {
  /** A single turn. */
  readonly acts?: readonly Act[]
}

/** @param world of the cases that name none @param wanted the same @param cases by name */
export function casesOf(
  kind: CaseKind,
  world: World,
  wanted: Claim,
  cases: Readonly<Record<string, CaseParts>>,
): readonly Case[] {
  return Object.entries(cases).map(([name, { acts = [], turns = [acts], ...own }]) => {
    return { kind, name, world, wanted, ...own, turns }
  })
}
