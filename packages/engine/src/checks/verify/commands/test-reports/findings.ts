import type { FindingEvidence } from '@donecheck/core/verdicts'
import type { Comparison } from './compare-with-baseline.ts'
import { isRed, type TestReport, type TestResult } from './report.ts'

const shownNames = 5
const maxFindings = 100
const whyExecuted = 'a test that is not executed proves nothing, and the baseline tree executed it'

/** What is worse than on the baseline tree beside failures, and what is only worth a word. */
export function findingsOf(
  { missing, renamed, newlySkipped }: Comparison,
  { tests, counts }: TestReport,
): { readonly findings: readonly FindingEvidence[]; readonly notes: readonly string[] } {
  const notes = renamed
    .slice(0, maxFindings)
    .map(({ from, to }) => `taken as one test under a new name: ${from} → ${to}`)
  const skipped = newlySkipped.slice(0, maxFindings).map(skippedFinding)
  if (missing.count === 0) return { findings: skipped, notes }
  const { message, path } = sayMissing(missing)
  // A file that cannot be loaded takes its tests along, and is a failure by itself.
  const isBroken =
    tests.length < counts.total
      ? counts.errored > 0
      : tests.some((test) => test.isTest === false && isRed(test))
  if (isBroken) return { findings: skipped, notes: [...notes, message] }
  const fewer: FindingEvidence = {
    kind: 'finding',
    rule: 'tests.fewer-executed',
    response: 'refuse',
    message,
    why: whyExecuted,
    ...(path === undefined ? {} : { path }),
  }
  return { findings: [fewer, ...skipped], notes }
}

function sayMissing({ count, tests }: Comparison['missing']): {
  readonly message: string
  readonly path?: string
} {
  const names = tests.slice(0, shownNames).map(({ name }) => name.slice(0, 200).toWellFormed())
  const more = count > names.length && names.length > 0 ? ', …' : ''
  const which = names.length === 0 ? '' : `: ${names.join(', ')}${more}`
  const message = `${count} ${count === 1 ? 'test' : 'tests'} of the baseline tree not executed any more${which}`
  const path = tests[0]?.file
  return path === undefined ? { message } : { message, path }
}

function skippedFinding({ name, file, line }: TestResult): FindingEvidence {
  return {
    kind: 'finding',
    rule: 'tests.newly-skipped',
    response: 'refuse',
    message: `skipped now, executed on the baseline tree: ${name.slice(0, 200).toWellFormed()}`,
    why: whyExecuted,
    ...(file === undefined ? {} : { path: file }),
    ...(line === undefined ? {} : { line }),
  }
}
