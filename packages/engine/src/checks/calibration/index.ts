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
