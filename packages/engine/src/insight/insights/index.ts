/** What many runs say together: a row of figures for each, kept beside its record, and sums over them. */
export { keepRow, knownRuns, type KnownRuns, type RowStore } from './keep-rows.ts'
export { rowFold, runRow, type RowFold } from './run-row.ts'
export { runRowSchema, type RunRow } from './row.ts'
export { dayOf, sinceOf, weekOf } from './figures/calendar.ts'
export { rateOf } from './figures/figures.ts'
export type { CheckFigures, Figures, FindingFigures, Named, Rate } from './figures/figures.ts'
export { dimensions, insightsOf, type Dimension, type Group, type Insights, type TopRun } from './report.ts'
export { dollars, figure, percent, rateWords, whole } from './words.ts'
