/** What the project's own checks say of an author's solution: one that they do not take is none. */
import type { Verdict } from '@donecheck/core/verdicts'
import type { Verifier } from '../../ports/checks.ts'
import type { TextFile } from './author.ts'
import { askIn, overlayOf, type Bench } from './trial.ts'

export interface ProjectCheck {
  readonly check: Verifier
  readonly baseline: Verdict
}

/** @throws where no copy can be made */
export async function projectOnBaseline(
  checks: readonly Verifier[],
  bench: Bench,
): Promise<readonly ProjectCheck[]> {
  if (checks.length === 0) return []
  const reports = await askIn(new Map(), checks, bench, { trigger: 'baseline' })
  return checks.flatMap((check, index) => {
    const report = reports[index]
    if (report === undefined) return []
    const { status, reason, canRetry, qualifiers, evidence } = report
    const verifier = check.description.name
    return [{ check, baseline: { verifier, status, reason, canRetry, qualifiers, evidence, durationMs: 0 } }]
  })
}

/** Undefined: they take it. @throws where no copy can be made */
export async function problemWithProject(
  solution: readonly TextFile[],
  project: readonly ProjectCheck[],
  bench: Bench,
): Promise<string | undefined> {
  for (const { check, baseline } of project) {
    const [report] = await askIn(overlayOf(solution), [check], bench, { baseline })
    const { name } = check.description
    if (report?.status !== 'passed' && report?.status !== 'skipped')
      return baseline.status === 'passed'
        ? `it contradicts ${name}, which is green on the baseline tree`
        : `${name} does not pass with it`
  }
  return undefined
}
