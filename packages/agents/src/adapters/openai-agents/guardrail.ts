/** Output guardrails of the SDK from our checks, and checks of ours from its guardrails. */
import type { Verifier } from '@donecheck/engine/ports/checks'
import { assertKnownKeys, type OptionKeys } from '@donecheck/engine/base'
import { claimKeys, verifyClaim, type ClaimOptions, type Verification } from '../../session/index.ts'
import { verifierOf } from '@donecheck/engine/verify'
import type { OutputGuardrailAnswer, OutputGuardrailLike } from './sdk.ts'

export interface OutputGuardrailOptions extends ClaimOptions {
  /** Default `donecheck`. */
  readonly name?: string
}

const outputGuardrailKeys: OptionKeys<OutputGuardrailOptions> = { ...claimKeys, name: true }

export interface CheckingGuardrail extends OutputGuardrailLike {
  execute(asked: { readonly agentOutput: unknown }): Promise<{
    readonly tripwireTriggered: boolean
    readonly outputInfo: Pick<Verification, 'runId' | 'transition' | 'verdicts'>
  }>
}

/**
 * For `outputGuardrails`: the tripwire is triggered unless the checks verify the work. The SDK then throws; to have the agent go on
 * instead, see `verifiedRun`.
 */
export function outputGuardrail(options: OutputGuardrailOptions): CheckingGuardrail {
  assertKnownKeys(options, outputGuardrailKeys, 'outputGuardrail')
  const { name = 'donecheck', ...rest } = options
  return {
    name,
    execute: async ({ agentOutput }) => {
      const text = typeof agentOutput === 'string' ? agentOutput : JSON.stringify(agentOutput ?? '')
      const claim = { task: 'the output of an agent', text }
      const { runId, isVerified, transition, verdicts } = await verifyClaim(
        { ...rest, agent: 'openai-agents' },
        claim,
      )
      return { tripwireTriggered: !isVerified, outputInfo: { runId, transition, verdicts } }
    },
  }
}

/**
 * A check of ours that asks an output guardrail of the SDK, just as it is. A triggered tripwire is a failed check, with the
 * guardrail's own words as its reason.
 * @param given what the guardrail wants to know beside the answer: the agent and the context of its run
 */
export function guardrailVerifier(
  guardrail: OutputGuardrailLike,
  given: { readonly agent?: object; readonly context?: unknown } = {},
): Verifier {
  return verifierOf(
    guardrail.name,
    async ({ finalText }) => {
      const asked = { agent: given.agent ?? {}, context: given.context ?? {}, agentOutput: finalText }
      const { tripwireTriggered, outputInfo }: OutputGuardrailAnswer = await guardrail.execute(asked as never)
      return { passed: !tripwireTriggered, reason: wordsOf(outputInfo, tripwireTriggered) }
    },
    { reads: 'answer' },
  )
}

function wordsOf(outputInfo: unknown, isTriggered: boolean): string {
  if (typeof outputInfo === 'string' && outputInfo !== '') return outputInfo
  const said = JSON.stringify(outputInfo ?? null)
  const words = isTriggered ? 'the tripwire was triggered' : 'no tripwire was triggered'
  return said === 'null' || said === '{}' ? words : `${words}: ${said}`
}
