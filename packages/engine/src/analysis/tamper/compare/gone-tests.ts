/** Tests that no test of the changed tree stands for. */
import type { TamperFinding } from '../finding.ts'
import { isAsStrong } from './compare-assertions.ts'
import { runs } from './compare-bodies.ts'
import type { ComparedFile, PlacedTest } from './compared-file.ts'
import type { MatchedTests } from './match-tests.ts'
import { namesCalledIn } from './words.ts'

/** More findings for one file say nothing new. */
const maxPerFile = 20

export function goneTests(
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
  return {
    rule: 'test.renamed-away',
    ...place,
    message: `${test.name} became ${hidden.name}, which no runner looks for`,
  }
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
