/** How a goal that changes, waits or is blocked moves the run. */
export { goalDecision, isAtBoundary } from './at-boundary.ts'
export { blockerCandidate } from './blocker.ts'
export { goalView } from './steering.ts'
