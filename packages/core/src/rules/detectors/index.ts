/** Loops: what repeats, how grave it is, and what answers it. */
export type { Detection } from './detection.ts'
export { continues, detectionsToRefuse, loopDetections } from './loop-detections.ts'
export type { LoopDetectionOptions, ModeOption } from './loop-options.ts'
export { loopDetectionSettings, ruleModeOf } from './loop-settings.ts'
export { refusedCalls } from './refused-calls.ts'
export { loopDetection, loopDetectionShadow, vetoOf } from './respond.ts'
export { standardLoopDetection } from './standard-settings.ts'
