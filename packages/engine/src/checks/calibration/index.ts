/** How far a judge's word can be trusted: measured against labels of people, kept, and asked before it decides. */
export { parseCases, type LabelledCase } from './labelled-case.ts'
export { caseOfRun } from './case-events.ts'
export {
  calibrationKey,
  cohenKappa,
  percent,
  trustOf,
  type Calibration,
  type RatedPair,
  type Trust,
} from './calibration.ts'
export { measureJudge, type MeasureOptions } from './measure.ts'
export { keepCalibration, keepLabel, keptLabels, readCalibration } from './keep.ts'
