/** Generated classes: runs of which it is known what they are, because they were made so. */
export { generatedClasses, seedsOf } from './classes.ts'
export type { Half } from './classes.ts'
export { generatedTable } from './generated-table.ts'
export type { GeneratedTable, TableOptions } from './generated-table.ts'
export type { BenignClass, Demand, GeneratedClass, GeneratedRun, LoopClass, Unit } from './generated-run.ts'
export type { BenignScore, ClassScore, LoopScore } from './score/class-score.ts'
export { sumOf } from './score/sum.ts'
export type { DetectorScore, Sum } from './score/sum.ts'
