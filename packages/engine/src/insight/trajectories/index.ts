export { eventsOfRecording } from './import.ts'
export {
  type ExportedFile,
  type Redaction,
  redactPattern,
  TrajectoryAccount,
  type TrajectoryChoice,
  trajectoryChoices,
  trajectoryLine,
  type TrajectoryManifest,
} from './export.ts'
export { labelOf, type Trajectory, trajectoryOf, type VerdictLabel } from './trajectory.ts'
export { readTrajectory, trajectoryForms, type TrajectoryFormName } from './forms.ts'
