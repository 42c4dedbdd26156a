/** What the detectors did to the recorded runs, as tables. */
import { figuresOf, type Figures } from './figures.ts'
import type { Group } from './groups.ts'
import { medianOf } from '@donecheck/engine/backtest'
import { fixed, markdownTable, percent, type Cell } from './markdown.ts'
import type { MeasuredRun } from './measured-run.ts'

const head = [
  'resolved ended',
  'share',
  'of newest models',
  'cut after (median)',
  'unresolved ended',
  'calls saved',
  'tokens saved',
  'warnings/1000 calls',
  'refusals/1000 calls',
]

/** One line per detector over the same runs. */
export function outcomeTable(runs: readonly MeasuredRun[], detectors: readonly string[]): string {
  const rows = detectors.map((name) => [name, ...cellsOf(figuresOf(runs, name))])
  return markdownTable(['detector', ...head], rows)
}

/** How many runs there are, and of what length. */
export function runTable(groups: readonly Group[]): string {
  const rows = groups.map(({ name, runs }) => {
    const count = (resolved: boolean | null) => runs.filter((run) => run.resolved === resolved).length
    const lengths = runs.map(({ calls }) => calls)
    const newest = runs.filter(({ isNewest }) => isNewest).length
    const longest = Math.max(0, ...lengths)
    return [name, runs.length, count(true), count(false), count(null), newest, medianOf(lengths), longest]
  })
  return markdownTable(
    ['set', 'runs', 'resolved', 'unresolved', 'unknown', 'newest models', 'median calls', 'most calls'],
    rows,
  )
}

function cellsOf(figures: Figures): readonly Cell[] {
  const { kills, newestKills, newestResolved, ended } = figures
  return [
    `${kills.length} of ${figures.resolved}`,
    percent(figures.killedShare, 2),
    `${newestKills} of ${newestResolved}`,
    percent(medianOf(kills.map(({ cutShare }) => cutShare)), 0),
    `${ended} of ${figures.unresolved}`,
    percent(figures.calls.share, 2),
    percent(figures.tokens.share, 2),
    fixed(figures.warningsPerThousandCalls, 2),
    fixed(figures.refusalsPerThousandCalls, 2),
  ]
}
