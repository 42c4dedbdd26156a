/** The tests of all changed files, before and now: one comparison for every language. */
import { compareBodies } from './compare/compare-bodies.ts'
import { compareSurroundings } from './compare/compare-surroundings.ts'
import { compareTest } from './compare/compare-test.ts'
import { renamesIn, type ComparedFile, type PlacedTest } from './compare/compared-file.ts'
import { goneTests } from './compare/gone-tests.ts'
import { localStandIns, movedImports } from './compare/local-stand-ins.ts'
import { matchTests } from './compare/match-tests.ts'
import { testAwareness } from './compare/test-awareness.ts'
import { weakenedHelpers } from './compare/weakened-helpers.ts'
import type { TamperFinding } from './finding.ts'
import type { ProtectOptions } from '../protect/index.ts'

/** Words of a check that reads the code itself. */
const complaining =
  /lint|\b(?:tsc|type-?check|types|mypy|pyright|ruff|flake8|vet|staticcheck|clippy|biome|coverage|cov)\b/iu

/** A test that only moved, was renamed, split, merged or put into a table gives nothing. */
export function compareFacts(
  files: readonly ComparedFile[],
  { checkCommands }: ProtectOptions,
): readonly TamperFinding[] {
  const isComplaining = checkCommands.some((line) => complaining.test(line))
  const renames = renamesIn(files)
  const before = files
    .filter((file) => file.isRun || isTest(file))
    .flatMap((file) => placed(file, file.before))
  const after = files.filter((file) => file.isRun).flatMap((file) => placed(file, file.after))
  const matched = matchTests(before, after, renames)
  const bodies = compareBodies(matched, files, renames)
  return [
    ...goneTests(bodies.lostTests, matched, files),
    ...matched.pairs.flatMap(compareTest),
    ...bodies.findings,
    ...matched.added.flatMap(newTest),
    ...files.flatMap((file) => compareSurroundings(file, files, isComplaining)),
    ...files.flatMap(localStandIns),
    ...files.flatMap(movedImports),
    ...weakenedHelpers(files),
    ...testAwareness(files),
  ]
}

function isTest({ protection }: ComparedFile): boolean {
  return protection === 'test' || protection === 'extra'
}

function placed(file: ComparedFile, facts: ComparedFile['before']): readonly PlacedTest[] {
  return (facts?.tests ?? []).map((test) => ({ file, test }))
}

/** A new test counts for nothing yet; only one that leaves the others out does harm. */
function newTest({ file, test }: PlacedTest): readonly TamperFinding[] {
  const place = { path: file.path, line: test.line }
  if (test.isFocused) {
    return [
      {
        rule: 'test.narrowed',
        ...place,
        message: `${test.name} is focused, so that all others are left out`,
      },
    ]
  }
  if (test.skip !== 'always') return []
  return [{ rule: 'test.skipped', ...place, message: `${test.name} is new and skipped`, atMost: 'note' }]
}
