/** Runs of the OpenAI Agents SDK, with an end that nobody can talk round. */
export { guardrailVerifier, outputGuardrail } from './guardrail.ts'
export type { CheckingGuardrail, OutputGuardrailOptions } from './guardrail.ts'
export { verifiedRun } from './session.ts'
export type { VerifiedRun, VerifiedRunOptions } from './session.ts'
export type { AgentLike, Item, OutputGuardrailAnswer, OutputGuardrailLike, RunnerLike } from './sdk.ts'
export type { Verification } from '../../session/index.ts'
export type { ToolActs } from '../../protocol/host/index.ts'
