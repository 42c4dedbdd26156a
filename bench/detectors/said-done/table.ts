/** How often an agent ended by itself with success claimed while the ground truth says no. */
import { markdownTable, percent } from '../measure/markdown.ts'
import type { MeasuredRun } from '../measure/measured-run.ts'
import { claimRules } from './claims.ts'

/** One line per data set and model, then the sum; only runs whose ground truth is known and whose source tells of claims. */
export function saidDoneTable(runs: readonly MeasuredRun[]): string {
  const told = runs.filter(({ claim, resolved }) => claim !== 'not told' && resolved !== null)
  const names = [...new Set(told.map(nameOf))].sort()
  const rows = names.map((name) =>
    rowOf(
      name,
      told.filter((run) => nameOf(run) === name),
    ),
  )
  const head = [
    'set, model',
    'runs',
    'said done',
    'of these not done',
    'share',
    'unresolved',
    'of these said done',
    'share',
  ]
  return rows.length === 0 ? 'No source tells of claims.' : markdownTable(head, [...rows, rowOf('all', told)])
}

/** What counts as a claim, source by source. */
export function claimRuleList(runs: readonly MeasuredRun[]): string {
  const files = new Set(runs.map(({ file }) => file))
  const known = new Set(claimRules.map(({ file }) => file))
  const others = [...files].filter((file) => !known.has(file))
  return claimRules
    .filter(({ file }) => file === undefined || files.has(file))
    .map(({ file, how }) => (file === undefined ? othersLine(others, how) : `- ${file}: ${how}.`))
    .join('\n')
}

function othersLine(others: readonly string[], how: string): string {
  return `- every other set${others.length === 0 ? ' (none here)' : ` (${others.join(', ')})`}: ${how}.`
}

function nameOf({ dataSet, model }: MeasuredRun): string {
  return `${dataSet}, ${model ?? 'model not told'}`
}

function rowOf(name: string, runs: readonly MeasuredRun[]) {
  const claimed = runs.filter(({ claim }) => claim === 'claimed')
  const unresolved = runs.filter(({ resolved }) => resolved === false)
  const wrong = claimed.filter(({ resolved }) => resolved === false).length
  const shareOf = (whole: number) => (whole === 0 ? undefined : percent(wrong / whole))
  return [
    name,
    runs.length,
    claimed.length,
    wrong,
    shareOf(claimed.length),
    unresolved.length,
    wrong,
    shareOf(unresolved.length),
  ]
}
