import type { Finding } from '../events/index.ts'
import type { RunState } from './state.ts'

/**
 * Caps, detectors and soft verifiers are all rules. A rule is pure, keeps nothing between calls (what it needs is in the
 * state) and can only ask for an end that is not verified.
 */
export type Rule = (state: RunState) => Finding | undefined
