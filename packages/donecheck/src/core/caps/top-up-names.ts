import type { Amount } from '../../events/index.ts'

/** How each amount is called on the command line, in the names of the flags `--max-…`. */
export const topUpNames: Readonly<Record<Amount, string>> = {
  iterations: 'iterations',
  modelCalls: 'model-calls',
  toolCalls: 'tool-calls',
  tokens: 'tokens',
  uncachedInputTokens: 'uncached-input-tokens',
  cachedInputTokens: 'cached-input-tokens',
  outputTokens: 'total-output-tokens',
  reasoningTokens: 'reasoning-tokens',
  costUsd: 'cost-usd',
  wallClockMs: 'seconds',
  workingMs: 'working-seconds',
}
