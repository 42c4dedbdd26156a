/** Gemini CLI tells of calls, but not where a reply of its model ends, nor what it has used: both are found out here. */
import {
  addUsage,
  isSilent,
  noUsage,
  usageSince,
  type AgentSignal,
  type TurnEnded,
} from '../../agents/index.ts'
import type { TokenUsage } from '../../events/index.ts'

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
  const iterator = signals[Symbol.asyncIterator]()
  let soFar: UsageSoFar | undefined
  let told: TokenUsage | undefined
  let isOpen = false
  const step = async (): Promise<AgentSignal> => {
    isOpen = false
    const total = await soFar?.()
    const usage = total === undefined ? noUsage : usageSince(total, told)
    told = addUsage(told, usage)
    return { kind: 'step', usage }
  }
  let next = iterator.next()
  for (;;) {
    if (isOpen && (await isSilent(next))) yield await step()
    const read = await next
    if (read.done === true) return
    const signal = read.value
    if (signal.kind === 'session') soFar ??= usageOf(signal.id)
    if (isOpen && signal.kind !== 'call') yield await step()
    if (signal.kind === 'call') isOpen = true
    yield signal.kind === 'turn-ended' ? withoutTold(signal, told) : signal
    next = iterator.next()
  }
}

/** Where more was told than the whole turn has used, as it says at last, nothing is left. */
function withoutTold(ended: TurnEnded, told: TokenUsage | undefined): TurnEnded {
  const { usage } = ended
  if (usage === undefined || told === undefined) return ended
  const isMore = told.inputTokens > usage.inputTokens || told.outputTokens > usage.outputTokens
  return { ...ended, usage: isMore ? noUsage : usageSince(usage, told) }
}
