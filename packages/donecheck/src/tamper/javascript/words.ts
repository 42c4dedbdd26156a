/**
 * Words of the runners: vitest, jest, mocha, jasmine, node:test, ava, tap, uvu, bun:test, Deno, QUnit and Playwright.
 * They overlap so much that one vocabulary serves all.
 */
import type { SkipKind } from '../facts.ts'
import type { Rows } from './table.ts'

export type DeclaratorKind = 'test' | 'suite' | 'hook'

export interface Marks {
  readonly skip: SkipKind
  readonly isFocused: boolean
}

export const unmarked: Marks = { skip: 'none', isFocused: false }
const skipped: Marks = { skip: 'always', isFocused: false }
const focused: Marks = { skip: 'none', isFocused: true }

export interface RunnerWord extends Marks {
  readonly kind: DeclaratorKind
}

/** What a callee such as `it.skip.each(rows)` declares. */
export interface Declarator extends Marks {
  readonly kind: DeclaratorKind
  /** Undefined: it is no table. */
  readonly rows?: Rows
  /** A suite that its tests are declared with, instead of within (uvu). */
  readonly suiteName?: string
  /** Line in a wrapper of the file where failures of every test are swallowed. */
  readonly swallowsAt?: number
}

function words(kind: DeclaratorKind, marks: Marks, names: readonly string[]): [string, RunnerWord][] {
  return names.map((name) => [name, { kind, ...marks }])
}

export const hookWords: readonly string[] = [
  'before',
  'after',
  'beforeEach',
  'afterEach',
  'beforeAll',
  'afterAll',
  'aroundEach',
  'aroundAll',
  'setup',
  'teardown',
  'suiteSetup',
  'suiteTeardown',
  'onTestFailed',
  'onTestFinished',
]

/** Names that stand for a declaration wherever nothing in the file says otherwise. */
export const runnerWords: ReadonlyMap<string, RunnerWord> = new Map([
  ...words('test', unmarked, ['it', 'test', 'specify']),
  ...words('test', skipped, ['xit', 'xtest', 'xspecify']),
  ...words('test', focused, ['fit', 'ftest']),
  ...words('suite', unmarked, ['describe', 'context', 'suite']),
  ...words('suite', skipped, ['xdescribe', 'xcontext', 'xsuite']),
  ...words('suite', focused, ['fdescribe', 'fcontext']),
  ...words('hook', unmarked, hookWords),
])

/** Objects whose members are runner words: `QUnit.test`, `Deno.test`, `globalThis.it`. */
export const runnerObjects: ReadonlySet<string> = new Set([
  'Deno',
  'QUnit',
  'tap',
  'globalThis',
  'global',
  'window',
  'self',
  'lab',
])

/** Members that mark what they stand on. */
export const markingMembers: ReadonlyMap<string, Marks> = new Map<string, Marks>([
  ['skip', skipped],
  ['todo', skipped],
  ['fixme', skipped],
  ['ignore', skipped],
  ['only', focused],
  ['fails', { skip: 'expected-to-fail', isFocused: false }],
  ['failing', { skip: 'expected-to-fail', isFocused: false }],
  ['fail', { skip: 'expected-to-fail', isFocused: false }],
])

/** Members that change how, but not whether, something runs. */
export const plainMembers: ReadonlySet<string> = new Set([
  'concurrent',
  'sequential',
  'serial',
  'parallel',
  'shuffle',
  'cb',
  'default',
  'strict',
  'each',
  'for',
  'extend',
  'override',
  'scoped',
  'step',
  'skipIf',
  'runIf',
  'todoIf',
  'if',
])

const severity: Readonly<Record<SkipKind, number>> = {
  none: 0,
  'expected-to-fail': 1,
  conditional: 2,
  always: 3,
}

export function worseSkip(one: SkipKind, other: SkipKind): SkipKind {
  return severity[one] >= severity[other] ? one : other
}

export function marksTogether(one: Marks, other: Marks): Marks {
  return { skip: worseSkip(one.skip, other.skip), isFocused: one.isFocused || other.isFocused }
}
