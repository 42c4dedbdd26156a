/** What runners print for people. It is the weakest source: a test can print the same words. */
import type { TestCounts } from '@donecheck/core/verdicts'
import { executedCount, redOf, unreadable, type Reading } from '../report.ts'
import { sumOfCounts, withTotal } from './counts.ts'
import { runnerTexts, type RunnerText } from './summaries.ts'

/** The runners whose summary for people we can read. */
export type TextRunner = keyof typeof runnerTexts

interface Summary {
  readonly runner: TextRunner
  /** Offset in the text. */
  readonly at: number
  readonly counts: TestCounts
}

/**
 * Counts from the summaries for people.
 * @param runners those that the line starts, each as often as it starts it; the last summary of a single one counts. Undefined if the
 * line does not show them: then the last summary tells which runner it was, and another runner's failures are taken for the
 * words of a test.
 */
export function readText(output: string, runners: readonly TextRunner[] | undefined): Reading {
  const text = withoutColours(output)
  const found = summariesIn(text, runners ?? allRunners)
  const last = found.at(-1)
  if (last === undefined) return unreadable('no summary of a test runner that we know')
  const counts = sumOfCounts(countedAmong(found, last, text, runners).map((summary) => summary.counts))
  const { uncounted }: RunnerText = runnerTexts[last.runner]
  if (redOf(counts) === 0 && counts.passed === 0 && uncounted?.test(text) === true)
    return unreadable(`${last.runner} does not tell how many tests passed`)
  if (executedCount(counts) === 0 && runners === undefined && !isNearEnd(text, last.at))
    return unreadable('what it prints last is no summary of a test runner that we know')
  return { kind: 'read', report: { format: 'text', counts, tests: [] } }
}

function countedAmong(
  found: readonly Summary[],
  last: Summary,
  text: string,
  runners: readonly TextRunner[] | undefined,
): readonly Summary[] {
  const { isSplit }: RunnerText = runnerTexts[last.runner]
  if (runners?.length === 1) return isSplit === true ? found : [last]
  if (runners !== undefined) return found
  const inside = startsAround(text, last.runner)
  return found.filter((one) =>
    one.runner === last.runner ? isSplit === true || !inside(one.at) : redOf(one.counts) === 0,
  )
}

/** Whether a place in the text lies between the lines with which a runner starts and ends that another run has started before. */
function startsAround(text: string, runner: TextRunner): (at: number) => boolean {
  const { begins, ends }: RunnerText = runnerTexts[runner]
  if (begins === undefined) return () => false
  const starts = [...text.matchAll(begins)].map(({ index }) => ({ at: index, step: 1 }))
  const stops = [...text.matchAll(ends)].map(({ index }) => ({ at: index, step: -1 }))
  const steps = [...starts, ...stops].sort((one, other) => one.at - other.at)
  return (at) => {
    let depth = 0
    for (const { at: place, step } of steps) if (place < at) depth = Math.max(0, depth + step)
    return depth > 1
  }
}

/** The runner that printed the last summary; undefined if none did. */
export function lastRunnerIn(output: string): TextRunner | undefined {
  return summariesIn(withoutColours(output), allRunners).at(-1)?.runner
}

/**
 * The runner that started and did not end: the line with which it starts is followed by no summary, of whatever runner.
 * @param runner the one that the line starts, if its output can be seen
 */
export function unendedRunnerIn(output: string, runner: TextRunner | undefined): TextRunner | undefined {
  const text = withoutColours(output)
  const found = summariesIn(text, allRunners)
  // It prints nothing before its tests, and cannot be made to leave out its summary.
  if (runner === 'unittest' && !found.some((one) => one.runner === runner)) return runner
  const lastEnd = found.at(-1)?.at ?? -1
  return allRunners.find((each) => {
    const { begins, isSplit }: RunnerText = runnerTexts[each]
    if (begins === undefined) return false
    const starts = [...text.matchAll(begins)].map(({ index }) => index)
    const last = starts.at(-1)
    if (last === undefined) return false
    return last > lastEnd || (isSplit === true && starts.length > summariesOf(each, text).length)
  })
}

const allRunners: readonly TextRunner[] = Object.keys(runnerTexts).filter(isTextRunner)

export function isTextRunner(runner: string): runner is TextRunner {
  return Object.hasOwn(runnerTexts, runner)
}

function summariesIn(text: string, runners: readonly TextRunner[]): readonly Summary[] {
  return [...new Set(runners)]
    .flatMap((runner) => summariesOf(runner, text))
    .sort((one, other) => one.at - other.at)
}

function summariesOf(runner: TextRunner, text: string): readonly Summary[] {
  const { ends, countsOf, none }: RunnerText = runnerTexts[runner]
  const found = [...text.matchAll(ends)].map((match) => {
    const groups: readonly (string | undefined)[] = match.slice(1)
    return { runner, at: match.index, counts: countsOf(...groups.map((group) => group ?? '')) }
  })
  if (found.length > 0 || none === undefined) return found
  return [...text.matchAll(none)].map(({ index }) => ({ runner, at: index, counts: withTotal({}) }))
}

/** Package managers and make print a few lines after a runner. */
const maxLinesAfter = 12

function isNearEnd(text: string, at: number): boolean {
  const lines = text.slice(at).split('\n')
  return lines.filter((line) => line.trim() !== '').length <= maxLinesAfter
}

/** Colours and other escape sequences of terminals. */
// eslint-disable-next-line no-control-regex
const escapes = /\u001b\[[0-9;?]*[ -/]*[@-~]/g

/** A text as it would be read, with `\n` at the end of every line. */
export function withoutColours(text: string): string {
  return text.replace(escapes, '').replace(/\r\n?/g, '\n')
}
