/** How far a judge's word can be trusted: measured against labels of people, kept, and asked before it decides. */
export { caseOfRun, parseCases, type LabelledCase } from './labelled-cases.ts'
export {
  calibrationKey,
  cohenKappa,
  keepCalibration,
  keepLabel,
  keptLabels,
  measureJudge,
  percent,
  readCalibration,
  trustOf,
  type Calibration,
  type MeasureOptions,
  type Trust,
} from './calibration.ts'
