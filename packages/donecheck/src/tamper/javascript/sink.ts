/** What is gathered while a file is read: one sink for the file, for each suite, test, hook and helper. */
import type { AssertionFacts, PlacedText, SkipKind, TestFacts } from '../facts.ts'
import type { DeclaratorContext } from './declarator.ts'
import type { FunctionNode, SyntaxNode } from './syntax.ts'
import type { Rows } from './table.ts'
import { unmarked, worseSkip, type Marks } from './words.ts'

/** A `return` or an exit, and the assertions before it. */
interface EarlyEnd {
  readonly line: number
  /** Assertions in the sink when it was reached, and when its branch was entered. */
  readonly at: number
  readonly branchStart: number
  /** It is always taken, and assertions stand behind it. */
  readonly isDefinite: boolean
}

export interface Sink {
  readonly kind: 'file' | 'suite' | 'test' | 'hook' | 'helper'
  /** Titles of the suites and the test. */
  readonly path: readonly string[]
  /** From suites around it. */
  readonly inherited: Marks
  readonly assertions: AssertionFacts[]
  readonly earlyEnds: EarlyEnd[]
  /** Conditions that end in a `throw` are assertions. */
  readonly countsGuards: boolean
  /** Reachable statements that fail: `throw`, `assert.fail()`. */
  failures: number
  swallowsAt: number | null
  skip: SkipKind
  timeoutMs: number | null
  retries: number | null
}

/** Where in a function the reading is. */
export interface Flow {
  readonly isConditional: boolean
  /** Assertions in the sink when the innermost branch was entered. */
  readonly branchStart: number
  /** In a callback: its `return` does not end the test. */
  readonly isNested: boolean
  /** Tables of the loops around. */
  readonly loops: readonly Rows[]
}

export const straight: Flow = { isConditional: false, branchStart: 0, isNested: false, loops: [] }

export interface Report {
  readonly tests: TestFacts[]
  readonly helperAssertions: AssertionFacts[]
  readonly fileSkips: PlacedText[]
  readonly limits: { readonly name: string; readonly value: number; readonly line: number }[]
}

export interface Reader {
  readonly context: DeclaratorContext
  readonly report: Report
  /** Functions on the way to here, so that recursion ends. */
  readonly entered: Set<FunctionNode>
  /** Functions whose tests were declared where they are called, and how often that was. */
  readonly called: Map<FunctionNode, number>
  /** Whether each function that was asked of declares tests. */
  readonly declaring: Map<FunctionNode, boolean>
  /** What each helper asserts, read once. */
  readonly helpers: Map<FunctionNode, Sink>
  /** Where tests and hooks stand in the text. */
  readonly testSpans: { readonly start: number; readonly end: number }[]
  /** True where the control flow does not go on behind it. */
  readonly walk: (node: SyntaxNode, sink: Sink, flow: Flow) => boolean
  /** The same, with more names known. */
  readonly walkIn: (context: DeclaratorContext, node: SyntaxNode, sink: Sink, flow: Flow) => boolean
}

export function newSink(
  kind: Sink['kind'],
  path: readonly string[] = [],
  inherited: Marks = unmarked,
  countsGuards = true,
): Sink {
  return {
    kind,
    path,
    inherited,
    countsGuards,
    assertions: [],
    earlyEnds: [],
    failures: 0,
    swallowsAt: null,
    skip: 'none',
    timeoutMs: null,
    retries: null,
  }
}

export function addAssertions(found: readonly AssertionFacts[], sink: Sink, flow: Flow): void {
  for (const facts of found)
    sink.assertions.push(flow.isConditional ? { ...facts, isConditional: true } : facts)
}

export function branchOf(flow: Flow, sink: Sink): Flow {
  return { ...flow, isConditional: true, branchStart: sink.assertions.length }
}

export function addSkip(skip: SkipKind, sink: Sink, flow: Flow): void {
  sink.skip = worseSkip(sink.skip, skip === 'always' && flow.isConditional ? 'conditional' : skip)
}

/**
 * Line of the first end that leaves out assertions. A branch that asserts by itself before it returns is an honest way
 * to tell cases apart.
 */
export function earlyEndOf(sink: Sink): number | null {
  const early = sink.earlyEnds.find(({ at, branchStart, isDefinite }) => {
    if (isDefinite) return true
    const asserts = sink.assertions.slice(branchStart, at).some(({ strength }) => strength !== 'trivial')
    return !asserts && sink.assertions.length > at
  })
  return early?.line ?? null
}
