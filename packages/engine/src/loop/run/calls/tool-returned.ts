import { traitsOf, type RunState } from '@donecheck/core/state'
import type { Fact, ToolCall } from '@donecheck/core/events'
import { maskText, type SecretValues } from '@donecheck/core/secrets'
import { readOutcome } from '@donecheck/core/activity'
import { given } from '../../../base/index.ts'
import type { ToolOutcome } from '../../../ports/loop.ts'
import type { World } from '../session/world.ts'

type ToolReturned = Extract<Fact, { type: 'tool-returned' }>

interface Answered {
  readonly state: RunState
  readonly secrets: SecretValues
  readonly world: Pick<World, 'normaliseResult'>
}

/**
 * The fact of an answered call, with what later answers are compared with. Only what is known is compared: of a call that
 * was interrupted nobody knows what it would have said. Secrets are masked before anything is hashed: a hash is no
 * protection of what can be guessed.
 */
export function toolReturned(
  callId: string,
  tool: string,
  { status, output: answer, changed, advances }: ToolOutcome,
  { state, secrets, world }: Answered,
): ToolReturned {
  const output = maskText(answer, secrets)
  const fact = { type: 'tool-returned' as const, callId, status, output, ...given({ changed, advances }) }
  if (status === 'interrupted') return fact
  const compared = normaliseOutput(tool, output, secrets, world.normaliseResult)
  const keys = traitsOf(state, tool)?.volatileResults
  const { outcome, failure, lines } = readOutcome(compared, status === 'error', keys)
  return { ...fact, outcome, lines, ...(failure === null ? {} : { failure }) }
}

/** Of a call that was broken off: nobody knows what it has done. */
export function outcomeUnknown({ callId, tool }: ToolCall, prompts: World['prompts']): ToolReturned {
  return { type: 'tool-returned', callId, status: 'unknown', output: prompts.toolOutcomeUnknown(tool) }
}

/** The user's function may fail: then nothing is left out. What it makes of a masked text may be a secret again. */
function normaliseOutput(
  tool: string,
  output: string,
  secrets: SecretValues,
  normalise: World['normaliseResult'],
): string {
  if (normalise === undefined) return output
  try {
    const result: unknown = normalise(tool, output)
    return typeof result === 'string' ? maskText(result, secrets) : output
  } catch {
    return output
  }
}
