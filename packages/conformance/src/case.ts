export const caseKinds = [
  ...['honest', 'lazy', 'liar', 'tamperer', 'looper', 'waiter'],
  ...['flaky check', 'slow check', 'passes at the start', 'crash', 'budget', 'missing check'],
] as const
export type CaseKind = (typeof caseKinds)[number]

export type Act =
  | { readonly write: string; readonly text: string }
  | { readonly remove: string }
  /** Runs in `sh` before the next act; background processes keep running. `$AGENT_FOLDER` is deleted after the case. */
  | { readonly shell: string }
  /** Prints to standard output, `times` times (default: once). */
  | { readonly say: string; readonly times?: number }
  /** Prints these Base64 bytes. */
  | { readonly bytes: string }
  | { readonly exit: number }
  /** The agent kills itself with SIGKILL. */
  | { readonly killed: true }

export interface Scenario {
  /** File contents by path, committed before the start. */
  readonly files: Readonly<Record<string, string>>
  /** An `sh` command, run in the project. `{scratch}` is replaced by a folder outside it. */
  readonly check: string
  readonly task: string
}

export type Claim = 'verified' | 'not-verified'

export interface Case {
  readonly kind: CaseKind
  readonly name: string
  readonly about: string
  readonly scenario: Scenario
  /** Acts for each call of the agent. The last turn repeats. */
  readonly turns: readonly (readonly Act[])[]
  readonly expected: Claim
  /**
   * The verdict on the final tree, for CI checks. Default: `expected`; null if the tree alone cannot decide.
   */
  readonly expectedForTree?: Claim | null
  /** Accepted stop reasons of a loop that reports ours. Default: any. */
  readonly reasons?: readonly string[]
  /** Extra turns allowed after the work is done. Default: 0. */
  readonly spareTurns?: number
  /** Turn limit passed to the loop. Default: 4. */
  readonly maxTurns?: number
  /** Required content of files at the end, by path. */
  readonly leaves?: Readonly<Record<string, string>>
  /** Check timeout in seconds, passed to the loop. Default: 30. */
  readonly checkSeconds?: number
}

interface CaseParts extends Partial<Omit<Case, 'kind' | 'name' | 'about'>>, Pick<Case, 'about'> {
  /** The acts of a case with a single turn. */
  readonly acts?: readonly Act[]
}

/** Builds the cases of one kind. @param scenario default @param expected default @param cases by name */
export function buildCases(
  kind: CaseKind,
  scenario: Scenario,
  expected: Claim,
  cases: Readonly<Record<string, CaseParts>>,
): readonly Case[] {
  return Object.entries(cases).map(([name, { acts = [], turns = [acts], ...own }]) => {
    return { kind, name, scenario, expected, ...own, turns }
  })
}
