export { burnDown, capUses, type CapUse } from './budget.ts'
export {
  changesOfCall,
  diffLines,
  filesOfDiff,
  type Change,
  type DiffLine,
  type FileDiff,
  compareFigures,
  compareRuns,
  type Comparison,
} from './changes.ts'
export { EventFilter, eventLine } from './event-words.ts'
export { ago, clock, compact, dollars, duration, elapsed, percent, unknownFigure, whole } from './figures.ts'
export { goalRows, RunView, type Mark, checkRows, type CheckRow, type Verification } from './run-view.ts'
export { isOpen, putRun, reasonWords, toneOfOutcome, type Tone, visiblePieces } from './runs.ts'
export { sparkOf } from './spark.ts'
export { readTopUp } from './top-up.ts'
export type { Call, Turn } from './turns.ts'
