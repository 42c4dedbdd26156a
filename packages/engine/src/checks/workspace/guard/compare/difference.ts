/** Green on the delivered tree and red on the independent one: what is said of it. */
import type { Evidence, TestCase } from '@donecheck/core/verdicts'
import { protectionOf, type ProtectOptions } from '../../../../analysis/protect/index.ts'
import type { VerifierReport } from '../../../../ports/checks.ts'
import { filesReachedFrom, type ReadableTree } from '../../../../analysis/sides/index.ts'
import { findingEvidence, listPaths } from '../reports.ts'
import type { CheckSideChange } from './sided-changes.ts'

/** What a check says where these changes of the check side are put back. */
export interface Difference {
  /** Name of the check. */
  readonly check: string
  readonly independent: VerifierReport
  /** What nobody has allowed. */
  readonly open: readonly CheckSideChange[]
}

export function failingTests({ independent: { evidence } }: Difference): readonly TestCase[] {
  return evidence.flatMap((piece) => (piece.kind === 'tests' ? piece.failed : []))
}

/**
 * Earlier tests that fail although nothing that the baseline had was changed in what they consist of: neither their file
 * nor what it reaches, nor configuration. Only something new makes them pass. A test whose file is not known counts as changed,
 * unless nothing at all that was there before was changed.
 */
export function findUnchangedTests(
  difference: Difference,
  baseline: ReadableTree,
  protect: ProtectOptions,
): readonly TestCase[] {
  const changed = difference.open.filter(({ change }) => change.earlier !== undefined).map(({ path }) => path)
  const failing = failingTests(difference)
  // A check whose own script was yet to be written has no earlier tests.
  if (difference.open.some(({ placement }) => placement.reason === 'check-script')) return []
  // The work needs a source that may reach into the checks: a person looks at that.
  if (difference.open.some(({ rule }) => rule !== undefined)) return []
  if (changed.length === 0) return failing.length > 0 ? failing : [{ name: difference.check }]
  if (changed.some((path) => protectionOf(path, protect) !== 'test')) {
    // A helper or a setting may reach every test, in ways that no import tells.
    return []
  }
  return failing.filter(({ file }) => {
    if (file === undefined || !baseline.has(file)) return false
    const reached = filesReachedFrom(file, baseline)
    return !changed.some((path) => reached.has(path))
  })
}

/** For the drive and for whoever decides. */
export function differenceReason(difference: Difference): string {
  const { check, independent, open } = difference
  return `${check} passes only with the changes of ${listPaths(open.map(({ path }) => path))}; with the checks as they were: ${independent.reason}`
}

/** Red, with what failed and why each change belongs to the checks. What it was is in the diff that a person is shown. */
export function differenceEvidence({ independent, open }: Difference): readonly Evidence[] {
  return [
    ...independent.evidence,
    ...open.map(({ path, rule, placement: { because } }) =>
      rule === undefined
        ? { kind: 'note' as const, text: because }
        : findingEvidence({ rule, path, message: because }, 'ask'),
    ),
  ]
}
