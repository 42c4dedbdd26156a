/** What the next model call may cost at worst, and what the caps leave for its reply (I9). */
import { totalTokens, type RunState } from '../../events/index.ts'

/** A reply shorter than that is of no use: the call is not made. */
export const smallestReplyTokens = 256

/** The prompt is cut to the context window by the drive, so it never costs more than that. */
export function expectedPromptTokens(state: RunState): number {
  const window = state.drive.contextWindowTokens - state.drive.maxOutputTokens
  return Math.min(state.promptTokens, Math.max(window, smallestReplyTokens))
}

/** Upper bound of the next reply under the token and cost caps. */
export function affordableOutputTokens(state: RunState): number {
  const { caps } = state.settings
  const { prices } = state.drive
  const prompt = expectedPromptTokens(state)
  const bounds = [state.drive.maxOutputTokens]
  if (caps.maxTokens !== null && state.drive.reportsUsage)
    bounds.push(caps.maxTokens - totalTokens(state.consumption) - prompt)
  if (caps.maxCostUsd !== null && prices !== null && prices.outputPerMillionTokens > 0) {
    const leftUsd = caps.maxCostUsd - (state.consumption.costUsd ?? 0)
    const promptUsd = (prompt * prices.inputPerMillionTokens) / 1_000_000
    bounds.push(Math.floor(((leftUsd - promptUsd) * 1_000_000) / prices.outputPerMillionTokens))
  }
  return Math.max(smallestReplyTokens, Math.min(...bounds))
}
