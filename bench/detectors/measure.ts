/** All detectors over all recorded runs of a half, and what they did to them as tables. */
import {
  medianOf,
  policyFigures,
  replayRun,
  type ReplayedRun,
} from '@donecheck/engine/internal/insight/backtest'
import { filesOf, isOracleStopped, readRuns, stepsOf } from '@donecheck/engine/internal/insight/recordings'
import { halfOf, type halves } from '../halves.ts'
import type { Detector } from './generated/generated-run.ts'
import { markdownTable, percent } from './markdown.ts'

/** Facts for the figures, no texts. */
export interface MeasuredRun extends ReplayedRun {
  readonly isOracleStopped: boolean
  readonly isNewest: boolean
}

export interface MeasureOptions {
  readonly folder: string
  readonly half: (typeof halves)[number]
  readonly detectors: readonly Detector[]
}

export interface Measured {
  readonly runs: readonly MeasuredRun[]
  /** What could not be read, in words. */
  readonly problems: readonly string[]
}

export async function measureRuns({ folder, half, detectors }: MeasureOptions): Promise<Measured> {
  const files = await filesOf(folder)
  if (files === undefined || files.length === 0)
    return { runs: [], problems: [`no recorded runs in '${folder}': name their folder with --data`] }
  const runs: MeasuredRun[] = []
  const problems: string[] = []
  for await (const run of readRuns(files, (problem) => problems.push(problem))) {
    if (half !== 'all' && halfOf(run.id) !== half) continue
    runs.push({
      ...replayRun(run, stepsOf(run), detectors),
      isOracleStopped: isOracleStopped(run),
      isNewest: isNewestModel(run.model),
    })
  }
  return { runs, problems }
}

/**
 * Models that came out in 2025 or 2026, by name: they hardly loop, so a rule can only harm there. A model that is not in the list,
 * or whose name the source does not give, is not counted as newest.
 */
const newest: readonly RegExp[] = [
  /gemini-?(2[.-]5|3)/,
  /gpt-?(4\.[15]|5|oss)/,
  /claude-(3[.-]7|((opus|sonnet|haiku)-)?[4-9])/,
  /\b(o3|o4)(-|$)/,
  /codex/,
  /grok-?(3|4|code)/,
  /deepseek.*(r1|v3[.-][1-9]|0324)/,
  /qwen-?3/,
  /kimi-?k2/,
  /glm-?(4[.-][5-9]|5)/,
  /minimax-?m/,
  /llama-?4/,
  /devstral|magistral|mistral-(small|medium|large)-?3/,
]

export function isNewestModel(model: string | null): boolean {
  const name = model?.toLowerCase().replaceAll(/[\s_]+/g, '-') ?? ''
  return newest.some((pattern) => pattern.test(name))
}

export interface Group {
  readonly name: string
  readonly runs: readonly MeasuredRun[]
}

/** All without the oracle-stopped runs, those of the newest models, and each data set by itself. */
export function groupsOf(runs: readonly MeasuredRun[], half: string): readonly Group[] {
  const fair = runs.filter((run) => !run.isOracleStopped)
  const names = [...new Set(runs.map(({ dataSet }) => dataSet))].sort()
  return [
    { name: `all sets without the oracle-stopped (half: ${half})`, runs: fair },
    { name: 'of the newest models alone', runs: fair.filter(({ isNewest }) => isNewest) },
    ...names.map((name) => ({ name: `set ${name}`, runs: runs.filter(({ dataSet }) => dataSet === name) })),
  ]
}

const head = [
  'resolved ended',
  'cut after (median)',
  'unresolved ended',
  'calls saved',
  'tokens saved',
  'warnings/1000 calls',
  'refusals/1000 calls',
]

/** One line per detector and group over the same runs. Runs end at the first stop; a call that was refused before is saved. */
export function outcomeTable(groups: readonly Group[], detectors: readonly string[]): string {
  const rows = groups.flatMap(({ name, runs }) =>
    detectors.map((detector) => [name, detector, ...cellsOf(runs, detector)]),
  )
  return markdownTable(['runs', 'detector', ...head], rows)
}

function cellsOf(runs: readonly MeasuredRun[], detector: string) {
  const figures = policyFigures(runs, detector)
  return [
    `${figures.kills.length} of ${figures.resolved}`,
    percent(
      medianOf(
        figures.kills.map(({ run: { calls }, end }) => (calls === 0 ? 0 : (calls - end.callsRun) / calls)),
      ),
      0,
    ),
    `${figures.ended} of ${figures.unresolved}`,
    percent(figures.calls.share, 2),
    percent(figures.tokens.share, 2),
    figures.warningsPerThousandCalls?.toFixed(2),
    figures.refusalsPerThousandCalls?.toFixed(2),
  ]
}
