/** The public exports of donecheck: done is a check, not a claim. @module */

// the loop
export { createAgentLoop, delegateTool, verifyWork } from '@donecheck/engine'
export type { AgentLoop, AgentLoopOptions, AgentRun, RunResult } from '@donecheck/engine'

// its events
export { exitCodeOf } from '@donecheck/engine'
export type { RunEvent, Verdict } from '@donecheck/engine'

// agents that propose the next step
export { commandAgent, modelAgent, scriptedAgent } from '@donecheck/engine'
export type { Agent } from '@donecheck/engine'

// checks, and policies that combine their verdicts
export { command, schema, testsPass, verifierOf } from '@donecheck/engine'
export { allRequired, deterministicVeto, quorum, weightedScore } from '@donecheck/engine'
export type { Rule, Verifier } from '@donecheck/engine'

// tools and their approval
export { acceptAll, defaultTools, gateByApproval, refuseAll } from '@donecheck/engine'
export { terminalApprover, terminalHuman } from './terminal/index.ts'
export type { Approver, Tool } from '@donecheck/engine'

// stores, prompts, configuration and errors
export { memoryStore, openSqliteStore } from '@donecheck/engine'
export { eventLines, finalLine } from '@donecheck/engine'
export { RunHeldError, UsageError } from '@donecheck/engine'
export { defineConfig } from './config/index.ts'
export type { Store } from '@donecheck/engine'
