/** From options to a running loop. */
export { AgentRun, resultOf } from './runs/agent-run.ts'
export type { RunResult } from './runs/agent-run.ts'
export type { Beginning } from './runs/open-run.ts'
export type { OpenOptions, StepEnd, SteppedRun } from './runs/stepped-run.ts'
export type { CheckingOptions } from './verification/checking-options.ts'
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
export { goalControl } from './runs/goal-control.ts'
export type { GoalControl, GoalReport } from './runs/goal-control.ts'
export type { RunOptions } from './runs/resumption.ts'
export { delegateTool } from './runs/delegate.ts'
export { rememberBaseline } from './verification/remember-baseline.ts'
export { snapshotFolderOf } from './options/guard.ts'
export type { GuardChoices, ProbingOptions } from './options/guard.ts'
export { capsOf } from './options/hard-cap.ts'
export type { HardCap, TopUp } from './options/hard-cap.ts'
export type { ReplyVerification } from './options/replies.ts'
export { softRulesOf, softSettingsOf } from './options/soft-tier.ts'
export type { SoftVerifierOptions } from './options/soft-tier.ts'
export { verifyWork } from './verification/verification.ts'
export type { VerificationOptions } from './verification/verification.ts'
