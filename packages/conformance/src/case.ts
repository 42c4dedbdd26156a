/** What a case is: a small project, an agent that follows a script in it, and what a loop that can be trusted makes of the two. */

export const caseKinds = [
  ...['honest', 'lazy', 'liar', 'tamperer', 'looper', 'waiter'],
  ...['flaky world', 'slow check', 'green at the start', 'crash', 'budget', 'missing check'],
] as const
export type CaseKind = (typeof caseKinds)[number]

/** One thing that the agent does in the folder in which it is called. */
export type Act =
  | { readonly write: string; readonly text: string }
  | { readonly remove: string }
  /** By `sh`; it ends before the next act, and what it leaves in the background stays. `$AGENT_FOLDER` is gone once the case is over. */
  | { readonly shell: string }
  /** On standard output; `times` makes it long. */
  | { readonly say: string; readonly times?: number }
  /** Base64 of what is printed as it is. */
  | { readonly bytes: string }
  | { readonly exit: number }
  /** By SIGKILL, by itself. */
  | { readonly killed: true }

export interface World {
  /** By path; all of them are committed before the start. */
  readonly files: Readonly<Record<string, string>>
  /** A line for `sh`, run in the project. `{scratch}` is a folder outside of it. */
  readonly check: string
  readonly task: string
}

/** What an end says of the work. Whoever reports no success has reported `not-verified`. */
export type Claim = 'verified' | 'not-verified'

export interface Case {
  readonly kind: CaseKind
  /** Unique, in a few words. */
  readonly name: string
  /** What is special, one sentence. */
  readonly about: string
  readonly world: World
  /** What the agent does when it is called, turn by turn. The last turn is repeated for as long as it is asked. */
  readonly turns: readonly (readonly Act[])[]
  readonly wanted: Claim
  /** What the tree after all turns is worth, for whoever sees nothing else. Absent: as `wanted`. Null: nobody can tell. */
  readonly wantedOfTree?: Claim | null
  /** Of a loop that names its reason in our words: one of these. Absent: any. */
  readonly reasons?: readonly string[]
  /** Turns beyond its script that are no fault where the work is done. Default 0. */
  readonly spareTurns?: number
  /** Turns that the loop is told to allow at most. Default 4. */
  readonly maxTurns?: number
  /** Files that have to be as they are here in the end. */
  readonly leaves?: Readonly<Record<string, string>>
  /** Seconds that a check may take, as the loop is told. Default 30. */
  readonly checkSeconds?: number
}

type Usual = Omit<Case, 'kind' | 'name' | 'about' | 'turns'>

interface CaseParts extends Partial<Usual>, Pick<Case, 'name' | 'about'> {
  readonly turns?: Case['turns']
  /** Of a single turn. */
  readonly acts?: readonly Act[]
}

/** @param usual of the cases of this kind, where they do not say something else */
export function casesOf(
  kind: CaseKind,
  usual: Partial<Usual> & Pick<Case, 'world' | 'wanted'>,
  cases: readonly CaseParts[],
): readonly Case[] {
  return cases.map(({ name, about, acts = [], turns = [acts], ...own }) => {
    return { kind, name, about, ...usual, ...own, turns }
  })
}
