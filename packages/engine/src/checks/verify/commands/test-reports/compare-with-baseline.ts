import { distance } from 'fastest-levenshtein'
import type { VerifierContext } from '../../../../ports/checks.ts'
import type { TestsEvidence } from '@donecheck/core/verdicts'
import { digestOfName, tally, maxDigests, shortName } from './tests-evidence.ts'
import { executedCount, isExecuted, isRed, type TestReport, type TestResult } from './report.ts'

/** A test of the baseline tree, as long as it is remembered beside its digest. */
export interface KnownTest {
  readonly name: string
  readonly file?: string
}

/** Names of the baseline tree by their digests. Lost with the process: then only numbers are told. */
export type KnownTests = ReadonlyMap<string, KnownTest>

/** What is different from the baseline tree. */
export interface Comparison {
  /** Executed then, and not there or not executed now. */
  readonly missing: { readonly count: number; readonly tests: readonly KnownTest[] }
  /** Executed under another name now, or in another file. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[]
  /** Executed then, skipped now. */
  readonly newlySkipped: readonly TestResult[]
  /** Failed now and not then. */
  readonly newlyRed: readonly TestResult[]
  /** Failed then and now. */
  readonly stillRed: readonly TestResult[]
  /** Every failure now has a name that can be looked up. */
  readonly isNamed: boolean
}

/**
 * Undefined: it executed nothing, or too little is known of it: it sets no floor.
 * @param mayBeGone whose absence says nothing; see `VerifierContext`
 */
export function compareWithBaseline(
  now: TestReport,
  baseline: TestsEvidence | undefined,
  known: KnownTests,
  mayBeGone?: VerifierContext['mayBeGone'],
): Comparison | undefined {
  if (baseline === undefined || executedCount(baseline.counts) === 0) return undefined
  const redThen = new Set(baseline.failed.map(({ name }) => name))
  const red = now.tests.filter(isRed)
  const wasRed = (test: TestResult) => isSpecific(test) && redThen.has(shortName(test.name))
  const newlyRed = red.filter((test) => !wasRed(test))
  const stillRed = red.filter(wasRed)
  const isNamed = red.length === now.counts.failed + now.counts.errored
  const absence = withoutAllowed(absenceOf(now, baseline, known), mayBeGone)
  return { ...absence, newlyRed, stillRed, isNamed }
}

/** An error outside of any test and any file has the same name whatever it is: it is never taken for an old one. */
function isSpecific({ isTest, file }: TestResult): boolean {
  return isTest !== false || file !== undefined
}

type Absence = Pick<Comparison, 'missing' | 'renamed' | 'newlySkipped'>

/** By names, where both sides have them. */
function absenceOf(
  now: TestReport,
  { counts: then, executedDigests }: TestsEvidence,
  known: KnownTests,
): Absence {
  if (executedDigests === undefined || now.tests.length < now.counts.total) {
    // What did not get as far as an answer may have been whole files: their tests are not known.
    const count = Math.max(0, then.passed + then.failed - executedCount(now.counts))
    return { missing: { count, tests: [] }, renamed: [], newlySkipped: [] }
  }
  const rest = lackingNow(now, executedDigests)
  const newlySkipped = now.tests.filter((test) => !isExecuted(test) && takeOne(rest, digestOfName(test.name)))
  const candidates = [...rest].flatMap(([digest, count]) => {
    const test = known.get(digest)
    return test === undefined ? [] : Array.from({ length: count }, () => ({ digest, test }))
  })
  const added = now.tests.filter((test) => isExecuted(test) && !known.has(digestOfName(test.name)))
  const renamed = renamesAmong(candidates, added)
  for (const { digest } of renamed) takeOne(rest, digest)
  const tests = [...rest].flatMap(([digest, count]) => Array.from({ length: count }, () => known.get(digest)))
  const isSample = executedDigests.length === maxDigests
  const count = Math.max(tests.length, isSample ? executedCount(then) - executedCount(now.counts) : 0)
  return {
    missing: { count, tests: tests.filter((test) => test !== undefined) },
    renamed: renamed.map(({ from, to }) => ({ from, to })),
    newlySkipped,
  }
}

/** Digests of then that are not executed now, and how many of each. */
function lackingNow({ tests }: TestReport, executedThen: readonly string[]): Map<string, number> {
  const executed = tally(tests.filter(isExecuted).map(({ name }) => digestOfName(name)))
  const lacking = [...tally(executedThen)].map(
    ([digest, count]) => [digest, count - (executed.get(digest) ?? 0)] as const,
  )
  return new Map(lacking.filter(([, count]) => count > 0))
}

/** Where names or files are not known, nobody can tell that it is another test than those that may be gone. */
function withoutAllowed(absence: Absence, mayBeGone: VerifierContext['mayBeGone']): Absence {
  if (mayBeGone === undefined) return absence
  const { missing, newlySkipped } = absence
  const must = ({ file }: Pick<KnownTest, 'file'>) =>
    mayBeGone !== 'any' && file !== undefined && !mayBeGone.includes(file)
  const tests = missing.tests.filter(must)
  return { ...absence, missing: { count: tests.length, tests }, newlySkipped: newlySkipped.filter(must) }
}

function takeOne(counts: Map<string, number>, value: string): boolean {
  const count = counts.get(value) ?? 0
  if (count > 1) counts.set(value, count - 1)
  else counts.delete(value)
  return count > 0
}

/** Looking for more pairs would take too long, and so many renames are no rename. */
const maxRenames = 200
const leastLikeness = 0.6

/**
 * A missing test and a new one of the same file whose names are much alike are one test; so are two of one name in
 * different files. Who would hide a test behind that could as well empty it under its own name: what tests say is the
 * tamper guard's matter.
 */
function renamesAmong(
  missing: readonly { readonly digest: string; readonly test: KnownTest }[],
  added: readonly TestResult[],
): readonly { readonly digest: string; readonly from: string; readonly to: string }[] {
  if (missing.length > maxRenames || added.length > 10 * maxRenames) return []
  const free = new Set(added)
  const left = new Set(missing)
  const pairs: { readonly digest: string; readonly from: string; readonly to: string }[] = []
  for (const isSame of [isAlike, isOfOneName]) {
    for (const one of left) {
      const candidates = [...free].filter((candidate) => isSame(one.test, candidate))
      const best = likest(candidates, one.test)
      if (best === undefined) continue
      free.delete(best)
      left.delete(one)
      pairs.push({ digest: one.digest, from: one.test.name, to: best.name })
    }
  }
  return pairs
}

function likest(candidates: readonly TestResult[], { name }: KnownTest): TestResult | undefined {
  const [best] = candidates
    .map((candidate) => ({ candidate, likeness: likenessOf(name, candidate.name) }))
    .sort((one, other) => other.likeness - one.likeness)
  return best?.candidate
}

type IsSame = (missing: KnownTest, added: TestResult) => boolean

const isAlike: IsSame = (missing, added) =>
  missing.file === added.file &&
  Math.max(likenessOf(missing.name, added.name), sharedWords(missing.name, added.name)) >= leastLikeness

/** Its file was renamed, and with it what stands before its own name. */
const isOfOneName: IsSame = (missing, added) => ownName(missing.name) === ownName(added.name)

function ownName(name: string): string {
  return name.split(' > ').at(-1) ?? name
}

/** Share of the words of the shorter of two own names that stand in the longer one. */
function sharedWords(one: string, other: string): number {
  const [fewer, more] = [wordsOf(one), wordsOf(other)].sort((left, right) => left.size - right.size)
  if (fewer === undefined || more === undefined || fewer.size < 2) return 0
  return [...fewer].filter((word) => more.has(word)).length / fewer.size
}

function wordsOf(name: string): ReadonlySet<string> {
  const words =
    ownName(name)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  return new Set(words.filter((word) => word !== 'test'))
}

function likenessOf(one: string, other: string): number {
  return 1 - distance(one, other) / Math.max(one.length, other.length, 1)
}
