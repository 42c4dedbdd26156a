/**
 * Words of the runners: vitest, jest, mocha, jasmine, node:test, ava, tap, uvu, bun:test, Deno, QUnit and Playwright.
 * They overlap so much that one vocabulary serves all.
 */
import type { SkipKind } from '../facts.ts'

export interface RunnerWord {
  readonly kind: 'test' | 'suite' | 'hook'
  readonly skip: SkipKind
  readonly isFocused: boolean
}

function words(
  kind: RunnerWord['kind'],
  names: string,
  skip: SkipKind = 'none',
  isFocused = false,
): readonly (readonly [string, RunnerWord])[] {
  return names.split(' ').map((name) => [name, { kind, skip, isFocused }])
}

/** Names that stand for a declaration wherever nothing in the file says otherwise. */
export const runnerWords: ReadonlyMap<string, RunnerWord> = new Map([
  ...words('test', 'it test specify'),
  ...words('test', 'xit xtest xspecify', 'always'),
  ...words('test', 'fit ftest', 'none', true),
  ...words('suite', 'describe context suite'),
  ...words('suite', 'xdescribe xcontext xsuite', 'always'),
  ...words('suite', 'fdescribe fcontext', 'none', true),
  ...words('hook', 'before after beforeEach afterEach beforeAll afterAll setup teardown'),
])

/** Objects whose members are runner words: `QUnit.test`, `Deno.test`, `globalThis.it`. */
export const runnerObjects = /^(?:Deno|QUnit|tap|t|globalThis|global|window|self)$/u

/** How a member marks what it stands on; undefined: it does not. */
export function markOf(member: string): SkipKind | 'focused' | undefined {
  if (member === 'only') return 'focused'
  if (/^(?:skip|todo|fixme|ignore)$/u.test(member)) return 'always'
  return /^(?:fails?|failing)$/u.test(member) ? 'expected-to-fail' : undefined
}

/** Members that change how, but not whether, something runs. */
export const plainMembers =
  /^(?:concurrent|sequential|serial|parallel|shuffle|cb|default|strict|each|for|extend|override|scoped|step|skipIf|runIf|todoIf|if)$/u

const severity: Readonly<Record<SkipKind, number>> = {
  none: 0,
  'expected-to-fail': 1,
  conditional: 2,
  always: 3,
}

/** The one that leaves most out. */
export function worstSkip(kinds: readonly SkipKind[]): SkipKind {
  return kinds.reduce((one, other) => (severity[one] >= severity[other] ? one : other), 'none')
}
