export { eventsOfRecording } from './import.ts'
export {
  type ExportedFile,
  labelOf,
  type Redaction,
  redactPattern,
  type Trajectory,
  TrajectoryAccount,
  type TrajectoryChoice,
  trajectoryChoices,
  trajectoryLine,
  type TrajectoryManifest,
  trajectoryOf,
  type VerdictLabel,
} from './trajectory.ts'
export { readTrajectory, trajectoryForms, type TrajectoryFormName } from './forms.ts'
