export { keepRow, knownRuns, type KnownRuns, type RowStore } from './keep-rows.ts'
export { rowFold, type RowFold, runRow, type RunRow, runRowSchema } from './row.ts'
export { type Figures, type Named, type Rate, rateOf, sinceOf, weekOf } from './figures.ts'
export {
  type Dimension,
  dimensions,
  dollars,
  figure,
  type Group,
  type Insights,
  insightsOf,
  percent,
  rateWords,
  type TopRun,
  whole,
} from './report.ts'
