/** Runs as trajectories: written in the forms that others train on, labelled by verdict, and read from them. */
export { eventsOfRecording } from './events-of-recording.ts'
export { trajectoryChoices, trajectoryLine, TrajectoryAccount, redactPattern } from './export.ts'
export type { ExportedFile, TrajectoryChoice, TrajectoryManifest } from './export.ts'
export { readTrajectory, trajectoryForms, type TrajectoryFormName } from './forms/index.ts'
export { parseLoopEvent, runOfLoopEvents, type LoopEvent } from './loop-events.ts'
export type { Redaction } from './export.ts'
export { labelOf, trajectoryOf, type Trajectory, type VerdictLabel } from './trajectory.ts'
