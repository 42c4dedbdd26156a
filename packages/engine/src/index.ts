/**
 * Done is a check, not a claim: a verifier kit for agent loops.
 * @module
 */

// the loop
export { createAgentLoop, delegateTool, verifyWork } from './loop/compose/index.ts'
export type {
  AgentLoop,
  AgentLoopOptions,
  AgentRun,
  CheckingOptions,
  RunResult,
} from './loop/compose/index.ts'

// what happens in it
export type { RunEvent } from '@donecheck/core/internal/events'
export type { RunState } from '@donecheck/core/internal/state'
export type { Verdict } from '@donecheck/core/internal/events/verdicts'
export { exitCodeOf } from '@donecheck/core/internal/decide/stops'

// agents: what proposes the next step
export { commandAgent, modelAgent, scriptedAgent } from './loop/agents/index.ts'
export type { Agent, AgentResponse, AgentRequest } from './ports/loop.ts'

// checks: what decides that it is done (all of them, and the other presets: `@donecheck/engine/verify`)
export { command, schema, testsPass, verifierOf } from './checks/verify/index.ts'
export type { Verifier } from './ports/checks.ts'

// policies: how verdicts become one (the words that compose them: `@donecheck/core`)
export {
  allRequired,
  deterministicVeto,
  quorum,
  weightedScore,
} from '@donecheck/core/internal/decide/aggregate'
export type { Rule } from '@donecheck/core/internal/state'

// tools, and who may use them
export { defaultTools } from './loop/tools/index.ts'
export { gateByApproval } from './policy/gate/index.ts'
export { chooseSandbox } from './system/sandbox/index.ts'
export { acceptAll, refuseAll, storeHuman } from './policy/approvals/index.ts'
export type { Approver } from './ports/gate.ts'
export type { Tool } from './ports/loop.ts'

// replies: what the user reads at the end
export type { Reply } from './ports/replies.ts'
export { runHeartbeat } from './loop/compose/index.ts'

// where it is kept
export { memoryStore, openSqliteStore } from './system/store/index.ts'
export type { Store } from './ports/store.ts'

// how it is told and refused
export { eventLines, finalLine } from './loop/display/index.ts'
export { donecheckVersion, RunHeldError, UsageError } from './base/index.ts'
