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
export { ago, clock, compact, dollars, duration, elapsed, percent, unknownFigure, whole } from './figures.ts'
export {
  capUses,
  type CapUse,
  checkRows,
  type CheckRow,
  EventFilter,
  eventLine,
  goalRows,
  RunView,
  type Mark,
  type Verification,
} from './run-view.ts'
export { isOpen, putRun, readTopUp, reasonWords, toneOfOutcome, type Tone, visiblePieces } from './runs.ts'
export type { Call, Turn } from './turns.ts'
