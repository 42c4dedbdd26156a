/** What the detectors did to the recorded runs, as tables. */
import { figuresOf, rulesOf, type Figures } from './figures.ts'
import type { Group } from './groups.ts'
import { medianOf, type EndLevel } from '@donecheck/engine/backtest'
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
  'delay (median)',
  'in a stretch',
  'loops at the end ended',
  'warnings/1000 calls',
  '/1000 steps',
  'refusals/1000 calls',
]

/** One line per detector over the same runs. */
export function outcomeTable(
  runs: readonly MeasuredRun[],
  detectors: readonly string[],
  level: EndLevel,
): string {
  const rows = detectors.map((name) => [name, ...cellsOf(figuresOf(runs, name, { level }))])
  return markdownTable(['detector', ...head], rows)
}

/** One line per rule of each detector that gave any alarm: the first end of a run decides which rule it belongs to. */
export function ruleTable(
  runs: readonly MeasuredRun[],
  detectors: readonly string[],
  level: EndLevel,
): string {
  const rows = detectors.flatMap((name) =>
    rulesOf(runs, name).map((rule) => [
      `${name}: ${rule}`,
      ...cellsOf(figuresOf(runs, name, { level, rule })),
    ]),
  )
  return rows.length === 0 ? 'No rule gave an alarm.' : markdownTable(['detector: rule', ...head], rows)
}

/** Every resolved run that would have been ended. */
export function killTable(
  runs: readonly MeasuredRun[],
  detectors: readonly string[],
  level: EndLevel,
): string {
  const rows = detectors.flatMap((name) =>
    figuresOf(runs, name, { level }).kills.map(({ run, end, cutShare }) => [
      name,
      end.rule,
      run.id,
      run.model ?? undefined,
      `${end.callsRun} of ${run.calls}`,
      percent(cutShare, 0),
      run.onsets.slice(end.atCall + 1).filter((onset) => onset === undefined).length,
    ]),
  )
  if (rows.length === 0) return 'No resolved run was ended.'
  return markdownTable(['detector', 'rule', 'run', 'model', 'calls run', 'cut', 'new after it'], rows)
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
  const { kills, newestKills, newestResolved, ended, delays } = figures
  return [
    `${kills.length} of ${figures.resolved}`,
    percent(figures.killedShare, 2),
    `${newestKills} of ${newestResolved}`,
    percent(medianOf(kills.map(({ cutShare }) => cutShare)), 0),
    `${ended} of ${figures.unresolved}`,
    percent(figures.calls.share, 2),
    percent(figures.tokens.share, 2),
    medianOf(delays),
    `${delays.length} of ${ended}`,
    `${figures.loopingEnded} of ${figures.looping}`,
    fixed(figures.warningsPerThousandCalls, 2),
    fixed(figures.warningsPerThousandSteps, 2),
    fixed(figures.refusalsPerThousandCalls, 2),
  ]
}
