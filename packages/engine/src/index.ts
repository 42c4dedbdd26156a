/**
 * Done is a check, not a claim: a verifier kit for agent loops.
 * @module
 */

// the loop
export { createAgentLoop, delegateTool, verifyWork } from './loop/compose/index.ts'
export type { AgentLoop, AgentLoopOptions, AgentRun, RunResult } from './loop/compose/index.ts'

// what happens in it
export type { RunEvent, RunState, Verdict } from '@donecheck/core/events'
export { exitCodeOf } from '@donecheck/core/decide'

// drives: what proposes the next step
export { commandDrive, modelDrive, scriptedDrive } from './loop/drives/index.ts'
export type { Drive } from './ports/index.ts'

// checks: what decides that it is done (all of them, and the other presets: `@donecheck/engine/verify`)
export { command, schema, testsPass, verifierOf } from './checks/verify/index.ts'
export type { Verifier } from './ports/index.ts'

// policies: how verdicts become one (the words that compose them: `@donecheck/core/decide`)
export { allRequired, deterministicVeto, quorum, weightedScore } from '@donecheck/core/decide'
export type { Rule } from '@donecheck/core/decide'

// tools, and who may use them
export { defaultTools } from './loop/tools/index.ts'
export { gateByApproval } from './policy/gate/index.ts'
export { acceptAll, refuseAll } from './policy/approvals/index.ts'
export type { Approver, Tool } from './ports/index.ts'

// where it is kept
export { memoryStore, openSqliteStore } from './system/store/index.ts'
export type { Store } from './ports/index.ts'

// how it is told and refused
export { eventLines, finalLine } from './loop/report/index.ts'
export { RunHeldError, UsageError } from './base/index.ts'
