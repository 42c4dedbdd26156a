/**
 * Done is a check, not a claim: the library's front door, and what belongs to the command.
 * @module
 */

// the loop
export { createAgentLoop, delegateTool, verifyWork } from '@donecheck/engine'
export type { AgentLoop, AgentLoopOptions, AgentRun, RunResult } from '@donecheck/engine'

// what happens in it
export { exitCodeOf } from '@donecheck/engine'
export type { RunEvent, Verdict } from '@donecheck/engine'

// drives: what proposes the next step
export { commandDrive, modelDrive, scriptedDrive } from '@donecheck/engine'
export type { Drive } from '@donecheck/engine'

// checks: what decides that it is done, and how verdicts become one
export { command, schema, testsPass, verifierOf } from '@donecheck/engine'
export { allRequired, deterministicVeto, quorum, weightedScore } from '@donecheck/engine'
export type { Rule, Verifier } from '@donecheck/engine'

// tools, and who may use them
export { acceptAll, defaultTools, gateByApproval, refuseAll } from '@donecheck/engine'
export { terminalApprover, terminalHuman } from './terminal/index.ts'
export type { Approver, Tool } from '@donecheck/engine'

// where it is kept, how it is told, configured and refused
export { memoryStore, openSqliteStore } from '@donecheck/engine'
export { eventLines, finalLine } from '@donecheck/engine'
export { RunHeldError, UsageError } from '@donecheck/engine'
export { defineConfig } from './config/index.ts'
export type { Store } from '@donecheck/engine'
