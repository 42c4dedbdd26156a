export {
  stopWhen,
  type StoppedBy,
  type StopWhen,
  type StopWhenOptions,
  type AnyStopCondition,
  type RequestedSteps,
} from './conditions.ts'
export { verifiedAgent } from './session.ts'
export type { AnyAgent, VerifiedAgent, VerifiedAgentOptions } from './session.ts'
export { BrokenOffError } from './verified-call.ts'
export type { AgentSettings, GuardSettings } from './guard.ts'
export type { StepCall, StepLike, StepPart, UsageLike } from './translate.ts'
export type { Verification } from '../../session/index.ts'
export type { ToolActs } from '../../protocol/host/index.ts'
