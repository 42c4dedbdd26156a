/** From options to a running loop. */
export { AgentRun, resultOf } from './agent-run.ts'
export type { RunResult } from './agent-run.ts'
export type { CheckingOptions } from './checking-options.ts'
export { createAgentLoop, hostedLoopKeys, partsOf } from './compose.ts'
export type { AgentLoop, AgentLoopOptions } from './compose.ts'
export {
  assertShowsCalls,
  capsOfHeartbeat,
  heartbeatEnd,
  lastLooksIn,
  nothingDue,
  runHeartbeat,
} from './heartbeat.ts'
export type { HeartbeatEnd, HeartbeatOptions, HeartbeatResult } from './heartbeat.ts'
export { delegateTool } from './delegate.ts'
export { snapshotFolderOf } from './guard.ts'
export type { GuardChoices, ProbingOptions } from './guard.ts'
export type { HardCap, TopUp } from './hard-cap.ts'
export type { ReplyVerification } from './replies.ts'
export { softRulesOf } from './soft-tier.ts'
export type { SoftVerifierOptions } from './soft-tier.ts'
export { verifyWork } from './verification.ts'
export type { VerificationOptions } from './verification.ts'
