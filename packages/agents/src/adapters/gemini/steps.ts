/** Gemini CLI tells of calls, but not where a reply of its model ends, nor what it has used: both are found out here. */
import {
  addUsage,
  noUsage,
  usageSince,
  withSilences,
  type AgentSignal,
  type TurnEnded,
} from '../../protocol/stream/index.ts'
import type { TokenUsage } from '@donecheck/core/budgets'

/** All that was used in the turn so far; undefined: nothing tells. Never rejects. */
export type UsageSoFar = () => Promise<TokenUsage | undefined>

/**
 * Puts a `step` behind the calls of each reply: at the first end of a call, or when nothing more comes. What no step has told
 * stands in the end of the turn.
 */
export async function* withSteps(
  signals: AsyncIterable<AgentSignal>,
  usageOf: (session: string) => UsageSoFar,
): AsyncGenerator<AgentSignal> {
  let soFar: UsageSoFar | undefined
  let reported: TokenUsage | undefined
  let isOpen = false
  const step = async (): Promise<AgentSignal> => {
    isOpen = false
    const total = await soFar?.()
    const usage = total === undefined ? noUsage : usageSince(total, reported)
    reported = addUsage(reported, usage)
    return { kind: 'step', usage }
  }
  for await (const signal of withSilences(signals)) {
    if (signal.kind === 'session') soFar ??= usageOf(signal.id)
    if (isOpen && signal.kind !== 'call') yield await step()
    if (signal.kind === 'silence') continue
    if (signal.kind === 'call') isOpen = true
    yield signal.kind === 'turn-ended' ? withoutTold(signal, reported) : signal
  }
}

/** Where more was told than the whole turn has used, as it says at last, nothing is left. */
function withoutTold(ended: TurnEnded, reported: TokenUsage | undefined): TurnEnded {
  const { usage } = ended
  if (usage === undefined || reported === undefined) return ended
  const isMore = reported.inputTokens > usage.inputTokens || reported.outputTokens > usage.outputTokens
  return { ...ended, usage: isMore ? noUsage : usageSince(usage, reported) }
}
