/**
 * Done is a check, not a claim: a verifier kit for agent loops.
 * @module
 */

// the loop
export { createAgentLoop } from './compose.ts'
export type { AgentLoop, AgentLoopOptions } from './compose.ts'
export { delegateTool } from './delegate.ts'
export { AgentRun } from './agent-run.ts'
export type { RunResult, RunUsage } from './agent-run.ts'
export type { HardCap } from './hard-cap.ts'
export { verifyWork } from './verification.ts'
export type { VerificationOptions } from './verification.ts'
export type { CheckingOptions } from './checking-options.ts'
export type { GuardChoices, GuardingOptions } from './guarding.ts'
export { Session } from './run/index.ts'

// what happens in it
export type { Finding, RunEvent, RunState, StopTransition, Transition, Verdict } from './events/index.ts'
export { exitCodeOf } from './core/index.ts'

// drives: what proposes the next step
export { commandDrive, modelDrive, scriptedDrive } from './drive/index.ts'
export type { Drive, DriveAnswer, DriveRequest } from './ports.ts'

// checks: what decides that it is done (all of them, and the other presets: `donecheck/verify`)
export { command, schema, testsPass, verifierOf } from './verify/index.ts'
export type { UserVerifier } from './verify/index.ts'
export type { Verifier, VerifierContext, VerifierReport } from './ports.ts'

// policies: how verdicts become one (the words that compose them: `donecheck/core`)
export { allRequired, deterministicVeto, quorum, weightedScore } from './core/index.ts'
export type { Policy, Rule } from './core/index.ts'

// tools, and who may use them
export { defaultTools } from './tools/index.ts'
export { gateByApproval } from './gate/index.ts'
export { acceptAll, refuseAll, terminalApprover } from './approve/index.ts'
export type { Approver, Gate, Tool } from './ports.ts'

// where it is kept
export { memoryStore, openSqliteStore } from './store/index.ts'
export type { Store } from './ports.ts'

// how it is told, configured and refused
export { eventLines, finalLine } from './report/index.ts'
export { defineConfig } from './config/index.ts'
export { CorruptEventError, RunHeldError, StoreError, UsageError } from './errors.ts'
export { donecheckVersion } from './version.ts'
