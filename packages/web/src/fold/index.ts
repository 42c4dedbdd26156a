/** What is shown, made of events and answers: pure, without a screen. */
export { burnDown, capUses, type CapUse } from './budget.ts'
export {
  changesOfCall,
  diffLines,
  filesOfDiff,
  type Change,
  type DiffLine,
  type FileDiff,
} from './changes.ts'
export { compareFigures, compareRuns, type Comparison } from './differences.ts'
export { argumentWords, EventFilter, eventWords } from './event-words.ts'
export { ago, clock, compact, dollars, duration, elapsed, percent, unknownFigure, whole } from './figures.ts'
export { goalRows } from './goal-tree.ts'
export { RunView, type Mark } from './run-view.ts'
export { isOpen, putRun, reasonWords, toneOfOutcome, type Tone } from './runs.ts'
export { sparkOf } from './spark.ts'
export { readTopUp } from './top-up.ts'
export type { Call, Turn } from './turns.ts'
export { checkRows, type CheckRow, type Verification } from './verifications.ts'
export { visiblePieces } from './visible.ts'
