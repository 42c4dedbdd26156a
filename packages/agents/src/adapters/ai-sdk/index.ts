export {
  stopWhen,
  type StoppedBy,
  type StopWhen,
  type StopWhenOptions,
  type AnyStopCondition,
  type RequestedSteps,
} from './conditions.ts'
export {
  verifiedAgent,
  type AnyAgent,
  type VerifiedAgent,
  type VerifiedAgentOptions,
  BrokenOffError,
} from './verified-agent.ts'
export type { AgentSettings, GuardSettings } from './guard.ts'
export type { StepCall, StepLike, StepPart, UsageLike } from './translate.ts'
export type { Verification } from '../../session/index.ts'
export type { ToolActs } from '../../protocol/host/index.ts'
