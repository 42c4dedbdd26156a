import type { Config } from '../config/index.ts'
import type { HardCap } from '../hard-cap.ts'

/** The caps of the configuration; what it does not name has its default. */
export function hardCapOf(config: Config): HardCap {
  const bounds: readonly (readonly [keyof HardCap, number | null | undefined])[] = [
    ['iterations', config.maxIterations],
    ['modelCalls', config.maxModelCalls],
    ['toolCalls', config.maxToolCalls],
    ['tokens', config.maxTokens],
    ['uncachedInputTokens', config.maxUncachedInputTokens],
    ['cachedInputTokens', config.maxCachedInputTokens],
    ['outputTokens', config.maxTotalOutputTokens],
    ['reasoningTokens', config.maxReasoningTokens],
    ['costUsd', config.maxCostUsd],
    ['wallClockMs', milliseconds(config.maxSeconds)],
    ['workingMs', milliseconds(config.maxWorkingSeconds)],
    ['sendBacks', config.maxSendBacks],
  ]
  return {
    ...Object.fromEntries(bounds.filter(([, bound]) => bound !== undefined)),
    ...(config.maxToolCallsOf === undefined ? {} : { callsPerTool: config.maxToolCallsOf }),
  }
}

function milliseconds(seconds: number | null | undefined): number | null | undefined {
  return typeof seconds === 'number' ? seconds * 1000 : seconds
}
