/** What a language's reader finds in a file of tests. One comparison works for every language. */

/** From what says least to what says most. */
export const strengths = ['trivial', 'presence', 'partial', 'exact'] as const

export type AssertionStrength = (typeof strengths)[number]

export interface AssertionFacts {
  readonly line: number
  /** What is looked at, as normalised source, such as `add(1,2)`. */
  readonly subject: string
  /** As the language calls it, such as `toEqual`, `==`, `assertRaises`. */
  readonly matcher: string
  readonly strength: AssertionStrength
  /** Normalised source of what is expected; null where the matcher takes nothing. */
  readonly expected: string | null
  readonly isNegated: boolean
}

/**
 * From what leaves nothing out to what leaves most out. `expected-to-fail`: it runs, and a failure counts as a pass (xfail,
 * `it.fails`, `should_panic` added).
 */
export const skipKinds = ['none', 'conditional', 'expected-to-fail', 'always'] as const

export type SkipKind = (typeof skipKinds)[number]

export interface TestFacts {
  /** Suites and title, joined by ` > `. */
  readonly name: string
  readonly line: number
  /** Of the test itself or of a suite around it. */
  readonly skip: SkipKind
  /** `.only`, `fit`, `fdescribe`: everything else is left out. */
  readonly isFocused: boolean
  /** Those that are reached. */
  readonly assertions: readonly AssertionFacts[]
  /** Normalised source of the body: equal for a test that was only moved or renamed. */
  readonly body: string
  /** Rows of a table test (`it.each`, `parametrize`, a Go table); null: it is none, or they cannot be counted. */
  readonly cases: number | null
  /** Normalised source of each row, where the table is a literal: an expectation may stand in a row alone. */
  readonly rows?: readonly string[]
}

/** A named function that is no test: a helper, or a test that was renamed so that no runner finds it. */
export interface FunctionFacts {
  readonly name: string
  readonly line: number
  /** As `TestFacts.body`. */
  readonly body: string
  readonly assertions: readonly AssertionFacts[]
}

export interface FileFacts {
  readonly tests: readonly TestFacts[]
  readonly functions: readonly FunctionFacts[]
}
