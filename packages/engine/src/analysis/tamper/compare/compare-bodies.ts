/** What was done to the assertions of the tests, over all changed files together. */
import type { AssertionFacts } from '../facts.ts'
import type { TamperFinding } from '../rules.ts'
import { changesOf, isSameAssertion, leftoversOf, take, type Leftovers } from './compare-assertions.ts'
import { isSameSource, type PlacedTest, type Renames } from './compared-file.ts'
import type { MatchedTests, TestPair } from './match-tests.ts'
import { literalsOf } from './words.ts'

export interface ComparedBodies {
  readonly findings: readonly TamperFinding[]
  /** Tests that are gone, and whose assertions stand nowhere else. */
  readonly lostTests: readonly PlacedTest[]
}

export function compareBodies(matched: MatchedTests, renames: Renames): ComparedBodies {
  const compared = matched.pairs.map((pair) => ({ pair, left: leftoversOf(pair, renames) }))
  const added = matched.added.filter(runs).flatMap(({ test }) => test.assertions)
  const free = compared.filter(({ pair }) => runs(pair.after)).flatMap(({ left }) => left.free)
  const findings: TamperFinding[] = []
  // Assertions that no test of the earlier tree accounts for: each may stand for one that was lost.
  let inTests: readonly AssertionFacts[] = [...added, ...free]
  for (const { pair, left } of compared) {
    const moved = takeMoved(left.lost, inTests, renames)
    inTests = moved.free
    findings.push(...findingsOf(pair, { lost: moved.lost, free: left.free }, renames))
    if (moved.lost.length === 0) findings.push(...changedInputs(pair, renames))
  }
  const lostTests = matched.gone.filter(({ test }) => {
    const wanted = test.assertions.filter(({ strength }) => strength !== 'trivial')
    const moved = takeMoved(wanted, inTests, renames)
    const isElsewhere = test.assertions.length > 0 && moved.lost.length === 0
    if (isElsewhere) inTests = moved.free
    return !isElsewhere
  })
  return { findings, lostTests }
}

export function runs({ test }: PlacedTest): boolean {
  return test.skip === 'none'
}

function takeMoved(
  lost: readonly AssertionFacts[],
  free: readonly AssertionFacts[],
  renames: Renames,
): Leftovers {
  return take({ lost, free }, (then, now) =>
    isSameAssertion(then, now, (left, right) => isSameSource(left, right, renames)),
  )
}

function findingsOf(
  { before, after }: TestPair,
  left: Leftovers,
  renames: Renames,
): readonly TamperFinding[] {
  // What the runner skips or ends early has its own finding.
  if (runs(before) && !runs(after)) return []
  const cases = casesLost(before, after)
  const found = changesOf(left, after.test.name).map((change) => ({ ...change, path: after.file.path }))
  return [...found, ...cases, ...(cases.length === 0 ? changedRows(before, after, renames) : [])]
}

function casesLost(before: PlacedTest, after: PlacedTest): readonly TamperFinding[] {
  const then = before.test.cases
  const now = after.test.cases
  if (then === null || then === 0 || (now !== null && now >= then)) return []
  const rows = now === null ? 'rows that cannot be counted' : `${now} rows`
  const message = `${after.test.name} had ${then} rows and has ${rows}`
  return [{ rule: 'assertion.removed', path: after.file.path, line: after.test.line, message }]
}

/** Rows whose values stand in no row of the table any more. */
function changedRows(before: PlacedTest, after: PlacedTest, renames: Renames): readonly TamperFinding[] {
  const now = after.test.rows
  if (now === undefined) return []
  const gone = (before.test.rows ?? []).find((row) => {
    if (now.some((other) => isSameSource(row, other, renames))) return false
    const wanted = [...literalsOf(row)]
    return !now.some(
      (other) => wanted.length > 0 && wanted.every((literal) => literalsOf(other).has(literal)),
    )
  })
  if (gone === undefined) return []
  const message = `${after.test.name} no longer has the row ${gone.slice(0, 80)}`
  return [{ rule: 'expectation.changed', path: after.file.path, line: after.test.line, message }]
}

/** The assertions are all there, but they look at something else. */
function changedInputs({ before, after }: TestPair, renames: Renames): readonly TamperFinding[] {
  if (isSameSource(before.test.body, after.test.body, renames) || !runs(after)) return []
  if (before.test.cases !== null && after.test.cases === null) return []
  const now = literalsOf(after.test.body)
  const gone = [...literalsOf(before.test.body)].filter(
    (literal) => !now.has(literal) && !isIncidental(literal) && !isExtracted(literal, before, after),
  )
  const first = gone[0]
  if (first === undefined) return []
  const message = `${after.test.name} no longer uses ${first}`
  return [{ rule: 'expectation.changed', path: after.file.path, line: after.test.line, message }]
}

/** It stands elsewhere in the file now, such as in a constant. */
function isExtracted(literal: string, before: PlacedTest, after: PlacedTest): boolean {
  const plain = literal.replaceAll(/^"|"$/gu, '')
  return after.file.afterText.split(plain).length >= before.file.beforeText.split(plain).length
}

/** Sentences (messages), paths and templates say little about what is tested. */
function isIncidental(literal: string): boolean {
  return literal === '""' || /^"[^"]*(?:\s|\/|\.\w{1,4}"$)/u.test(literal)
}
