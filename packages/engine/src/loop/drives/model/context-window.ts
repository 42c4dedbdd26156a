/** How much a model can read and write at once, where the user does not say. */
import { UsageError } from '../../../base/index.ts'

export interface WindowLimits {
  /** Prompt and reply together. */
  readonly contextWindowTokens: number
  /** One reply. */
  readonly maxOutputTokens: number
}

export interface WindowOverrides {
  readonly contextWindowTokens?: number
  readonly maxOutputTokens?: number
}

/** Below that, instructions, tools and one result do not fit together. */
export const smallestWindowTokens = 2048

/** Hosted models that are not listed: what all current ones have at least. */
const hostedDefault = 128_000
/**
 * A server of one's own serves whatever window it was started with and says so nowhere; some cut a longer prompt
 * silently. 8,192 works on most and is enough to begin with: say `contextWindowTokens` where it is larger or smaller.
 */
const ownServerDefault = 8192
const outputDefault = 8192

/** By the beginning of the name, the first that fits. */
const known: readonly (readonly [prefix: string, tokens: number])[] = [
  ['openai/gpt-5', 400_000],
  ['openai/gpt-4.1', 1_047_576],
  ['openai/gpt-4o', 128_000],
  ['openai/o3', 200_000],
  ['openai/o4-mini', 200_000],
  ['anthropic/claude-', 200_000],
  ['google/gemini-2', 1_048_576],
]

/**
 * @param name `provider/model`
 * @throws {UsageError} for a window that is too small, or a reply that fills more than half of it
 */
export function windowOf(name: string, hosted: boolean, overrides: WindowOverrides): WindowLimits {
  const usual = hosted
    ? (known.find(([prefix]) => name.startsWith(prefix))?.[1] ?? hostedDefault)
    : ownServerDefault
  const contextWindowTokens = overrides.contextWindowTokens ?? usual
  if (!Number.isInteger(contextWindowTokens) || contextWindowTokens < smallestWindowTokens)
    throw new UsageError(
      `contextWindowTokens is ${contextWindowTokens}: it must be a whole number, ${smallestWindowTokens} or more`,
    )
  const maxOutputTokens =
    overrides.maxOutputTokens ?? Math.min(outputDefault, Math.floor(contextWindowTokens / 4))
  const isInRange = Number.isInteger(maxOutputTokens) && maxOutputTokens >= 1
  if (!isInRange || maxOutputTokens > contextWindowTokens / 2)
    throw new UsageError(
      `maxOutputTokens is ${maxOutputTokens}: it must be a whole number from 1 to half of the context window (${contextWindowTokens} tokens)`,
    )
  return { contextWindowTokens, maxOutputTokens }
}
