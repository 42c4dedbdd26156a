/** What a language's reader finds in a file of tests. One comparison (`compare-facts.ts`) works for every language. */

/** From what says least to what says most. */
export type AssertionStrength = 'trivial' | 'presence' | 'partial' | 'exact'

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
  /** It runs only where a branch is taken (`if`, `switch`, `&&`, `catch`). */
  readonly isConditional?: boolean
}

/** `expected-to-fail`: it runs, and a failure counts as a pass (xfail, `it.fails`, `should_panic` added). */
export type SkipKind = 'none' | 'always' | 'conditional' | 'expected-to-fail'

export interface TestFacts {
  /** Suites and title, joined by ` > `. */
  readonly name: string
  readonly line: number
  /** Of the test itself or of a suite around it. */
  readonly skip: SkipKind
  /** `.only`, `fit`, `fdescribe`: everything else is left out. */
  readonly isFocused: boolean
  /** Line of a `return`, an exit or an empty body that ends it before its first assertion; null: none. */
  readonly endsEarlyAt: number | null
  /** Line of a `catch`, `except: pass`, `recover` that swallows failures of assertions; null: none. */
  readonly swallowsAt: number | null
  readonly assertions: readonly AssertionFacts[]
  readonly timeoutMs: number | null
  readonly retries: number | null
  /** Normalised source of the body: equal for a test that was only moved or renamed. */
  readonly body: string
  /** Rows of a table test (`it.each`, `parametrize`, a Go table); null: it is none, or they cannot be counted. */
  readonly cases: number | null
  /** Normalised source of each row, where the table is a literal: an expectation may stand in a row alone. */
  readonly rows?: readonly string[]
}

export interface PlacedText {
  readonly line: number
  readonly text: string
  /** A name that the file declares for itself: it hides another of that name in this file alone. */
  readonly isDeclaration?: boolean
}

export interface FunctionFacts {
  readonly name: string
  readonly line: number
  /** As `TestFacts.body`. */
  readonly body: string
}

export interface FileFacts {
  readonly tests: readonly TestFacts[]
  /** Named functions that are no tests: a test that was renamed so that no runner finds it is among them. */
  readonly functions?: readonly FunctionFacts[]
  /** Assertions in functions beside the tests: helpers. */
  readonly helperAssertions: readonly AssertionFacts[]
  /** Ends of the whole process, such as `process.exit(0)`, `os._exit(0)`, `os.Exit(0)`, also in hooks. */
  readonly exits: readonly PlacedText[]
  /** Whole-file or whole-suite words that leave tests out: `pytestmark = skip`, `//go:build ignore`, `t.SkipNow` in TestMain. */
  readonly fileSkips: readonly PlacedText[]
  /** What is mocked or patched: module names and attributes. */
  readonly mocks: readonly PlacedText[]
  /** The runner or an assertion library that is overwritten: `expect = …`, `assert.equal = …`, `globalThis.it = …`. */
  readonly overrides: readonly PlacedText[]
  /** File-wide numbers, such as `jest.setTimeout(60000)` (name `timeoutMs`) or `retries`. */
  readonly limits: readonly { readonly name: string; readonly value: number; readonly line: number }[]
  /** `eslint-disable`, `@ts-ignore`, `# noqa`, `# pragma: no cover`, `//nolint` and the like. */
  readonly suppressions: readonly PlacedText[]
}

export type ReadFacts =
  | { readonly kind: 'facts'; readonly facts: FileFacts }
  /** Its syntax is not understood: nothing may be concluded from what was not seen. */
  | { readonly kind: 'unreadable'; readonly problem: string }
