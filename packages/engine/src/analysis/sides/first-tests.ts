/** Whether a check had any test before: where it had none, its earlier tests can say nothing of the work. */
import { checkRunsOf } from './check-runs.ts'
import { nameSays } from './place/by-name.ts'
import type { SideReason } from './reasons.ts'
import type { ReadableTree } from './request.ts'

/** What stands for a test script until there is one, as `npm init` writes it. */
const placeholder = /^\s*(?:echo\b[^;&|]*(?:&&|;)?)?\s*(?:exit\s+\d+|true|false|:)?\s*$/u

/**
 * Whether a check's first tests were written since the baseline: no file of the baseline was a test or a script that the
 * check starts, and whatever the check's scripts ran then they still run. A script that the check itself names is no test
 * unless its name says so: what it asks was for the user to say. Files are told by their names; an empty one is no test.
 */
export function areTestsNew(checkLine: string, baseline: ReadableTree, delivered: ReadableTree): boolean {
  const before = checkRunsOf([checkLine], baseline)
  const isEarlier = ([path, from]: readonly [string, string]) =>
    baseline.has(path) || (from === checkLine && delivered.has(path) && !isTest(path))
  if ([...before.started].some(isEarlier)) return false
  if ([...baseline.paths()].some((path) => isTest(path) && baseline.text(path)?.trim() !== '')) return false
  const now = new Set(checkRunsOf([checkLine], delivered).lines.map(({ text }) => text))
  return before.lines.every(({ text }) => placeholder.test(text) || now.has(text))
}

const ofTests: readonly SideReason[] = ['test', 'test-helper', 'test-data', 'snapshot']

/** What stands beside tests counts too: a recipe may compare data where no file is named a test. */
function isTest(path: string): boolean {
  const says = nameSays(path)
  if (says.kind === 'plain') return false
  return ofTests.includes(says.reason) || /(?:^|\/)tests?\.(?:py|[cm]?[jt]s)$/u.test(path)
}
