import { thousands } from '@donecheck/core/base'
import { activityOf, dayOf, type Figures, figuresOf, type Rate, Tally, weekOf } from './figures.ts'
import type { RunRow } from './row.ts'

export const dimensions = ['model', 'agent', 'project', 'week'] as const
export type Dimension = (typeof dimensions)[number]

export interface Group {
  readonly name: string
  readonly figures: Figures
}

export interface TopRun {
  readonly runId: string
  readonly task: string
  readonly value: number
}

export interface Insights {
  /** Null if there are no runs. */
  readonly total: Figures | null
  /** The groups with the most runs come first; weeks are in chronological order. */
  readonly by: Readonly<Record<Dimension, readonly Group[]>>
  readonly activity: ReturnType<typeof activityOf>
  readonly top: Readonly<Record<'activeSeconds' | 'messages' | 'tokens' | 'toolCalls', readonly TopRun[]>>
}

const topLength = 5

/** Every row is looked at once: the answers to all questions are sums of the same cells. */
export function insightsOf(rows: readonly RunRow[]): Insights {
  const cells = cellsOf(rows)
  const total = new Tally()
  for (const { tally } of cells) total.addAll(tally)
  return {
    total: figuresOf(total) ?? null,
    by: {
      model: groupsBy(cells, 'model'),
      agent: groupsBy(cells, 'agent'),
      project: groupsBy(cells, 'project'),
      week: groupsBy(cells, 'week').toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    },
    activity: activityOf(rows),
    top: {
      activeSeconds: topOf(rows, ({ activeMs }) => activeMs / 1000),
      messages: topOf(rows, ({ messages: { user, assistant, tool } }) => user + assistant + tool),
      tokens: topOf(rows, ({ inputTokens, outputTokens }) => inputTokens + outputTokens),
      toolCalls: topOf(rows, ({ toolCalls }) => toolCalls),
    },
  }
}

interface Cell {
  readonly at: Readonly<Record<Dimension, string>>
  readonly tally: Tally
}

function cellsOf(rows: readonly RunRow[]): readonly Cell[] {
  const cells = new Map<string, Cell>()
  for (const row of rows) {
    const at = placeOf(row)
    const key = JSON.stringify([at.model, at.agent, at.project, at.week])
    const cell = cells.get(key) ?? { at, tally: new Tally() }
    cell.tally.add(row)
    cells.set(key, cell)
  }
  return [...cells.values()]
}

function placeOf({ model, agent, project, startedAtMs }: RunRow): Cell['at'] {
  const week = weekOf(dayOf(startedAtMs))
  return { model: model ?? '(not told)', agent, project: project ?? '(no folder)', week }
}

function groupsBy(cells: readonly Cell[], dimension: Dimension): readonly Group[] {
  const tallies = new Map<string, Tally>()
  for (const { at, tally } of cells) {
    const group = tallies.get(at[dimension]) ?? new Tally()
    group.addAll(tally)
    tallies.set(at[dimension], group)
  }
  const groups = [...tallies].flatMap(([name, tally]) => {
    const figures = figuresOf(tally)
    return figures === undefined ? [] : [{ name, figures }]
  })
  return groups.sort(
    (one, other) => other.figures.runs - one.figures.runs || (one.name < other.name ? -1 : 1),
  )
}

function topOf(rows: readonly RunRow[], valueOf: (row: RunRow) => number): readonly TopRun[] {
  const best: { readonly row: RunRow; readonly value: number }[] = []
  for (const row of rows) {
    const value = valueOf(row)
    if (value <= 0 || (best.length === topLength && value <= (best.at(-1)?.value ?? 0))) continue
    best.push({ row, value })
    best.sort((one, other) => other.value - one.value)
    best.length = Math.min(best.length, topLength)
  }
  return best.map(({ row, value }) => ({ runId: row.runId, task: row.task, value }))
}

export function whole(value: number): string {
  return thousands(Math.round(value))
}

/** Three digits that tell something, such as `0.0312` or `12.5`. */
export function figure(value: number | null): string {
  if (value === null) return '–'
  if (Math.abs(value) >= 100 || Number.isInteger(value)) return whole(value)
  return String(Number(value.toPrecision(3)))
}

export function dollars(value: number | null): string {
  if (value === null) return '–'
  return `$${value >= 0.1 || value === 0 ? value.toFixed(2) : Number(value.toPrecision(2))}`
}

export function percent(share: number | null): string {
  return share === null ? '–' : `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`
}

/** Such as `8 of 10, 80 % (49 to 94 %)`. */
export function rateWords({ part, whole: cases, share, interval }: Rate): string {
  if (share === null) return '–'
  const [low, high] = [interval.low, interval.high].map((end) => (100 * end).toFixed(0))
  return `${whole(part)} of ${whole(cases)}, ${percent(share)} (${low ?? ''} to ${high ?? ''} %)`
}
