import { thousands } from '@donecheck/core/internal/base'
import { type Figures, figuresOf, type Rate, weekOf } from './figures.ts'
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
  readonly total: Figures | null
  /** Groups with the most runs first; weeks in chronological order. */
  readonly by: Readonly<Record<Dimension, readonly Group[]>>
  readonly top: { readonly tokens: readonly TopRun[] }
}

const topLength = 5

export function insightsOf(rows: readonly RunRow[]): Insights {
  return {
    total: rows.length === 0 ? null : figuresOf(rows),
    by: {
      model: groupsBy(rows, ({ model }) => model ?? '(not told)'),
      agent: groupsBy(rows, ({ agent }) => agent),
      project: groupsBy(rows, ({ project }) => project ?? '(no folder)'),
      week: groupsBy(rows, ({ startedAtMs }) => weekOf(startedAtMs)).toSorted((one, other) =>
        one.name < other.name ? -1 : 1,
      ),
    },
    top: { tokens: mostTokens(rows) },
  }
}

function groupsBy(rows: readonly RunRow[], nameOf: (row: RunRow) => string): readonly Group[] {
  return [...Map.groupBy(rows, nameOf)]
    .map(([name, some]) => ({ name, figures: figuresOf(some) }))
    .sort((one, other) => other.figures.runs - one.figures.runs || (one.name < other.name ? -1 : 1))
}

function mostTokens(rows: readonly RunRow[]): readonly TopRun[] {
  return rows
    .map(({ runId, task, inputTokens, outputTokens }) => ({ runId, task, value: inputTokens + outputTokens }))
    .filter(({ value }) => value > 0)
    .sort((one, other) => other.value - one.value)
    .slice(0, topLength)
}

export function whole(value: number): string {
  return thousands(Math.round(value))
}

/** Three significant digits, such as `0.0312` or `12.5`. */
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
