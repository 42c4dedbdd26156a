/** The tests of all changed files, before and now: one comparison for every language. */
import { compareBodies } from './compare/compare-bodies.ts'
import { skipAdded } from './compare/skip-added.ts'
import { renamesIn, type ComparedFile, type PlacedTest } from './compare/compared-file.ts'
import { goneTests } from './compare/gone-tests.ts'
import { matchTests } from './compare/match-tests.ts'
import { weakenedHelpers } from './compare/weakened-helpers.ts'
import type { TamperFinding } from './finding.ts'

/** A test that only moved, was renamed, split, merged or put into a table gives nothing. */
export function compareFacts(files: readonly ComparedFile[]): readonly TamperFinding[] {
  const renames = renamesIn(files)
  const placed = (version: 'before' | 'after') =>
    files
      .filter((file) => file.isRun)
      .flatMap((file): readonly PlacedTest[] => file[version].tests.map((test) => ({ file, test })))
  const matched = matchTests(placed('before'), placed('after'), renames)
  const bodies = compareBodies(matched, renames)
  return [
    ...goneTests(bodies.lostTests, matched, files),
    ...matched.pairs.flatMap(skipAdded),
    ...bodies.findings,
    ...weakenedHelpers(files),
  ]
}
