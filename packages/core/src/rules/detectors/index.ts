/** Loops: what repeats, how grave it is, and what answers it. */
export type { Detection } from './detection.ts'
export { continues, detectionsToRefuse, loopDetections } from './loop-detections.ts'
export type { LoopDetectionOptions, ModeOption } from './settings/loop-options.ts'
export { loopDetectionSettings, ruleModeOf } from './settings/loop-settings.ts'
export { refusedCalls } from './refused-calls.ts'
export { loopDetection, loopDetectionShadow, vetoOf } from './respond.ts'
export { standardLoopDetection } from './settings/standard-settings.ts'
