/** Loops: what repeats, how grave it is, and what answers it. */
export type { Detection } from './detection.ts'
export { continues, detectionsToRefuse, loopDetections } from './loop-detections.ts'
export { problemOfThresholds } from './loop-thresholds.ts'
export { refusedCalls } from './refused-calls.ts'
export { loopDetection, loopDetectionShadow, vetoOf } from './respond.ts'
