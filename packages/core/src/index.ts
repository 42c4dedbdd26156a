/**
 * The pure core of donecheck: a run is its events, folded into a state, from which the next step is decided.
 * @module
 */

// a run: its events, and the state that they fold into
export type { RunEvent } from './events/index.ts'
export type { Verdict } from './events/verdicts/index.ts'
export { evolve, fold, hasPassed, totalTokens, type Rule, type RunState } from './state/index.ts'

// goals and their parts
export { progressOf, type GoalChange, type SubGoal } from './goal/index.ts'

// decisions: what happens next, and why
export { decide } from './decide/index.ts'
export { exitCodeOf } from './decide/stops/index.ts'

// policies: how verdicts become one
export { allRequired, deterministicVeto, quorum, weightedScore } from './decide/aggregate/index.ts'

// soft rules
export { loopDetection } from './rules/detectors/index.ts'
export { stagnation } from './rules/soft-verifiers/index.ts'
