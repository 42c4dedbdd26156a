import type { FileChange } from './change.ts'
import { renamesIn, type ComparedFile, type PlacedTest } from './compare/compared-file.ts'
import { skipKinds, type AssertionFacts, type FileFacts, type SkipKind } from './facts.ts'
import type { TamperFinding } from './rules.ts'
import { conventionOf } from '../protect/index.ts'
import { readFacts } from './read-facts.ts'
import { findFocusedTests } from './refused-changes.ts'
import { compareBodies, runs } from './compare/compare-bodies.ts'
import { matchTests, type TestPair, type MatchedTests } from './compare/match-tests.ts'
import { isAsStrong, take } from './compare/compare-assertions.ts'
import { namesCalledIn } from './compare/words.ts'

/**
 * What the syntax rules can say about changed check-side files: tests that are gone, renamed, skipped or focused, and
 * expectations that were removed, weakened or changed. Nothing is decided by it, and silence says nothing. All changes are
 * to be given together: a test that moved is found again only where it went to.
 */
export function explainChanges(changes: readonly FileChange[]): readonly TamperFinding[] {
  const files: ComparedFile[] = []
  const unreadable: TamperFinding[] = []
  for (const change of changes) {
    const read = comparedFile(change)
    if (read === undefined) continue
    if ('rule' in read) unreadable.push(read)
    else files.push(read)
  }
  return [...unreadable, ...compareFacts(files), ...findFocusedTests(changes)]
}

/** Undefined: there is nothing to compare. */
function comparedFile({ path, before, after }: FileChange): ComparedFile | TamperFinding | undefined {
  if (before?.kind === after?.kind && before?.digest === after?.digest) return undefined
  const then = factsOf(path, before)
  const now = factsOf(path, after)
  if (then === undefined || now === undefined) return undefined
  if (then === null || now === null) {
    const message = 'it cannot be read, so it is not compared'
    return { rule: 'expectation.changed', path, message, atMost: 'note' }
  }
  const isTest = isRunnable(path) || then.tests.some(({ assertions }) => assertions.length > 0)
  return {
    path,
    before: then,
    after: now,
    beforeText: before?.text ?? '',
    afterText: after?.text ?? '',
    isRun: isTest && !/(?:^|\/)(?:node_modules|\.\w[\w-]*)\//u.test(path),
  }
}

/** A runner finds tests in a file of this name. */
function isRunnable(path: string): boolean {
  return conventionOf(path) === 'test' || /(?:^|\/)tests?\.\w+$/u.test(path)
}

/** Null: it cannot be read; undefined: no reader knows it. */
function factsOf(path: string, version: FileChange['before']): FileFacts | null | undefined {
  if (version?.kind !== 'file') return { tests: [], functions: [] }
  return version.text === null ? null : readFacts(path, version.text)
}

/** A test that only moved, was renamed, split, merged or put into a table gives nothing. */
function compareFacts(files: readonly ComparedFile[]): readonly TamperFinding[] {
  const renames = renamesIn(files)
  const testsOf = (version: 'before' | 'after') =>
    files
      .filter((file) => file.isRun)
      .flatMap((file): readonly PlacedTest[] => file[version].tests.map((test) => ({ file, test })))
  const matched = matchTests(testsOf('before'), testsOf('after'), renames)
  const bodies = compareBodies(matched, renames)
  return [
    ...goneTests(bodies.lostTests, matched, files),
    ...matched.pairs.flatMap(skipAdded),
    ...bodies.findings,
    ...weakenedHelpers(files),
  ]
}

const words: Readonly<Record<SkipKind, string>> = {
  none: 'runs',
  conditional: 'is skipped under a condition',
  'expected-to-fail': 'is expected to fail',
  always: 'is skipped',
}

/** A test that is still there, and left out. */
function skipAdded({ before, after }: TestPair): readonly TamperFinding[] {
  const { skip, name, line } = after.test
  if (skipKinds.indexOf(skip) <= skipKinds.indexOf(before.test.skip)) return []
  return [{ rule: 'test.skipped', path: after.file.path, line, message: `${name} ${words[skip]}` }]
}

/** Only functions that are still there: what the tests of a removed one assert now is compared with the tests. */
function weakenedHelpers(files: readonly ComparedFile[]): readonly TamperFinding[] {
  return files.flatMap(({ path, before, after }) => {
    const now = new Map(after.functions.map((one) => [one.name, one]))
    return before.functions.flatMap(({ name, assertions }): readonly TamperFinding[] => {
      const here = now.get(name)
      if (here === undefined) return []
      const { lost } = take({ lost: assertions, free: here.assertions }, isKept)
      return lost
        .filter(({ strength }) => strength !== 'trivial')
        .map((then): TamperFinding => {
          const what = [then.subject, then.matcher, then.expected ?? ''].join(' ').slice(0, 120)
          const message = `${name}: \`${what}\` is gone or says less, for every test that calls it`
          return { rule: 'assertion.weakened', path, line: here.line, message }
        })
    })
  })
}

/** Names of parameters and the order of the sides may change. */
function isKept(then: AssertionFacts, now: AssertionFacts): boolean {
  return now.isNegated === then.isNegated && now.strength !== 'trivial' && isAsStrong(now, then)
}

/** More findings for one file say nothing new. */
const maxPerFile = 20

function goneTests(
  lost: readonly PlacedTest[],
  matched: MatchedTests,
  files: readonly ComparedFile[],
): readonly TamperFinding[] {
  const left = withoutTabled(lost, matched)
  return files.flatMap((file) => {
    const here = left.filter((placed) => placed.file === file)
    const all = file.before.tests.length
    if (here.length === all && all > 0 && file.afterText === '') return [goneFile(file, all, files)]
    const found = here.filter((placed) => !isCopy(placed, matched)).map((placed) => goneTest(placed, files))
    return found.slice(0, maxPerFile)
  })
}

/** Several equal tests, of which one is left. */
function isCopy({ test }: PlacedTest, { pairs }: MatchedTests): boolean {
  return (
    test.body !== '' &&
    pairs.some(({ before, after }) => before.test.body === test.body && after.test.body === test.body)
  )
}

function goneFile(file: ComparedFile, count: number, files: readonly ComparedFile[]): TamperFinding {
  const moved = files.find(
    (other) =>
      !other.isRun &&
      other !== file &&
      other.beforeText === '' &&
      other.afterText.trim() === file.beforeText.trim(),
  )
  const tests = count === 1 ? '1 test' : `${count} tests`
  if (moved === undefined)
    return { rule: 'test.deleted', path: file.path, message: `the file with ${tests} is gone` }
  const message = `the file with ${tests} became ${moved.path}, which no runner looks for`
  return { rule: 'test.renamed-away', path: file.path, message }
}

function goneTest({ file, test }: PlacedTest, files: readonly ComparedFile[]): TamperFinding {
  const place = { path: file.path, line: test.line }
  const hidden = files
    .flatMap((other) => [...other.after.functions, ...(other.isRun ? [] : other.after.tests)])
    .find(({ body }) => body !== '' && body === test.body)
  if (hidden === undefined) return { rule: 'test.deleted', ...place, message: `${test.name} is gone` }
  const message = `${test.name} became ${hidden.name}, which no runner looks for`
  return { rule: 'test.renamed-away', ...place, message }
}

/** Copies that became rows of a table: each row stands for one of them. */
function withoutTabled(lost: readonly PlacedTest[], matched: MatchedTests): readonly PlacedTest[] {
  const rows = new Map<PlacedTest, number>()
  for (const placed of matched.added.filter(runs)) rows.set(placed, placed.test.cases ?? 0)
  for (const { before, after } of matched.pairs) {
    if (runs(after)) rows.set(after, Math.max(0, (after.test.cases ?? 1) - (before.test.cases ?? 1)))
  }
  return lost.filter((placed) => {
    const table = [...rows].find(([after, free]) => free > 0 && standsFor(after, placed))
    if (table !== undefined) rows.set(table[0], table[1] - (placed.test.cases ?? 1))
    return table === undefined
  })
}

function standsFor(table: PlacedTest, placed: PlacedTest): boolean {
  if (table.test.cases === null) return false
  const calls = namesCalledIn(table.test.body)
  return placed.test.assertions.every((then) => {
    const isCalled = [...namesCalledIn(then.subject)].every((name) => calls.has(name))
    return isCalled && table.test.assertions.some((now) => isAsStrong(now, then))
  })
}
