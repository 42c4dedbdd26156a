/** Runs as trajectories: written in the forms that others train on, labelled by verdict, and read from them. */
export { eventsOfRecording } from './events-of-recording.ts'
export { redactPattern, trajectoryChoices, trajectoryLine, TrajectoryAccount } from './export.ts'
export type { ExportedFile, Redaction, TrajectoryChoice, TrajectoryManifest } from './export.ts'
export { readTrajectory, trajectoryForms, type TrajectoryFormName } from './forms/index.ts'
export { parseLoopEvent, runOfLoopEvents, type LoopEvent } from './loop-events.ts'
export { labelOf, trajectoryOf, type Trajectory, type VerdictLabel } from './trajectory.ts'
