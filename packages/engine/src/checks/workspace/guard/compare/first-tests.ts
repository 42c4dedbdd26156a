/** A check that had no test on the baseline tree: there the independent tree can say nothing. */
import type { VerifierReport } from '../../../../ports/checks.ts'
import { conventionOf } from '../../../../analysis/protect/index.ts'
import { areTestsNew, type SideReason } from '../../../../analysis/sides/index.ts'
import { listPaths } from '../reports.ts'
import type { Difference } from './difference.ts'
import type { CheckSideChange, Trees } from './sided-changes.ts'

/** Whether the earlier checks were red because there was no test to run. */
export function hadNoTests(
  { independent, open }: Difference,
  { evidence }: VerifierReport,
  { baseline, delivered }: Trees,
): boolean {
  const line = evidence.find((piece) => piece.kind === 'command')?.command
  if (line === undefined || open.length === 0) return false
  const hasRun = independent.evidence.some(
    (piece) => piece.kind === 'tests' && piece.counts.passed + piece.counts.failed + piece.counts.errored > 0,
  )
  return !hasRun && areTestsNew(line, baseline, delivered)
}

const neverOfTests: readonly SideReason[] = ['named-by-user', 'silences-a-checker', 'installed-dependency']
const ofOtherChecks = ['lint-config', 'type-config', 'ci', 'ignore', 'git-hook', 'donecheck-config']

/** Changes that no new test needs: of settings of linters and compilers that were there, and of what silences them. */
export function unneededByTests(open: readonly CheckSideChange[]): readonly CheckSideChange[] {
  return open.filter(({ path, change, placement: { reason } }) => {
    const isSettingOfOthers = change.before !== null && ofOtherChecks.includes(conventionOf(path) ?? '')
    return isSettingOfOthers || neverOfTests.includes(reason)
  })
}

/** The delivered report, limited: nothing but what this run wrote says that the work is right. */
export function heldByNewTests(delivered: VerifierReport, kept: readonly CheckSideChange[]): VerifierReport {
  const paths = listPaths(kept.map(({ path }) => path))
  const text = `there was no test before, so only tests of this run hold it: ${paths}`
  return {
    ...delivered,
    qualifiers: [...delivered.qualifiers, 'only-new-tests'],
    evidence: [...delivered.evidence, { kind: 'note', text }],
  }
}
