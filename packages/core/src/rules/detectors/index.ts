export type { Detection } from './detection.ts'
export {
  continues,
  detectionsToRefuse,
  loopDetections,
  problemOfThresholds,
  refusedCalls,
} from './loop-detections.ts'
export { loopDetection, loopDetectionShadow, vetoOf } from './respond.ts'
