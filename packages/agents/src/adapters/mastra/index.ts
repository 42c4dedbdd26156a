export {
  verifiedGenerate,
  type Resumption,
  type VerifiedGeneration,
  verifiedExecution,
  type VerifiedExecution,
  type VerifiedExecutionOptions,
} from './verified-execution.ts'
export type { AgentLike, ScorerInput, ScorerAnswer } from './session.ts'
export type { Verification } from '../../session/index.ts'
export type { ToolActs } from '../../protocol/host/index.ts'
