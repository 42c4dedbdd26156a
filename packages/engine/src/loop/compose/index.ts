export { AgentRun, resultOf, type RunResult } from './runs/agent-run.ts'
export type { Beginning } from './runs/open-run.ts'
export type { OpenOptions, StepEnd, SteppedRun } from './runs/agent-run.ts'
export type { CheckingOptions } from './verification/checking-options.ts'
export { createAgentLoop, partsOf, type AgentLoop, type AgentLoopOptions } from './compose.ts'
export {
  assertShowsCalls,
  capsOfHeartbeat,
  heartbeatEnd,
  lastLooksIn,
  nothingDue,
  runHeartbeat,
} from './heartbeat.ts'
export type { HeartbeatEnd, HeartbeatOptions, HeartbeatResult } from './heartbeat.ts'
export { goalControl, type GoalControl, type GoalReport } from './runs/goal-control.ts'
export type { RunOptions } from './runs/open-run.ts'
export { delegateTool } from './runs/delegate.ts'
export { rememberBaseline } from './verification/verification.ts'
export { snapshotFolderOf, type GuardChoices } from './options/guard.ts'
export { capsOf, type HardCap, type TopUp } from './options/hard-cap.ts'
export type { ReplyVerification } from './options/replies.ts'
export { softRulesOf, softSettingsOf, type SoftVerifierOptions } from './options/soft-tier.ts'
export { verifyWork, type VerificationOptions } from './verification/verification.ts'
export { hostedLoopOptions } from './options/option-shapes.ts'
