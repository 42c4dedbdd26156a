import { UsageError } from './errors.ts'
import type { Caps } from './events/index.ts'

/** Upper bounds of a run; each is never exceeded. Null switches one off; absent means the default. */
export interface HardCap {
  /** Turns. Default 30. */
  readonly iterations?: number | null
  /** Default: none. */
  readonly modelCalls?: number | null
  /** Default: none. */
  readonly toolCalls?: number | null
  /** Input and output together. Default 100,000. */
  readonly tokens?: number | null
  /** Default: none. The price of the model must be known. */
  readonly costUsd?: number | null
  /** Active time. Default 600,000 (ten minutes). */
  readonly wallClockMs?: number | null
}

const whole = ['iterations', 'modelCalls', 'toolCalls', 'tokens'] as const

/** @throws {UsageError} naming the bound that is not a positive number */
export function capsOf(hardCap: HardCap): Caps {
  for (const [name, value] of Object.entries(hardCap)) assertBound(name, value)
  return {
    maxIterations: hardCap.iterations === undefined ? 30 : hardCap.iterations,
    maxModelCalls: hardCap.modelCalls ?? null,
    maxToolCalls: hardCap.toolCalls ?? null,
    maxTokens: hardCap.tokens === undefined ? 100_000 : hardCap.tokens,
    maxCostUsd: hardCap.costUsd ?? null,
    maxWallClockMs: hardCap.wallClockMs === undefined ? 600_000 : hardCap.wallClockMs,
  }
}

function assertBound(name: string, value: unknown): void {
  if (value === null || value === undefined) return
  const mustBeWhole = whole.some((cap) => cap === name)
  if (
    typeof value !== 'number' ||
    !(value > 0) ||
    !Number.isFinite(value) ||
    (mustBeWhole && !Number.isInteger(value))
  )
    throw new UsageError(
      `hardCap.${name} must be a positive ${mustBeWhole ? 'whole number' : 'number'} or null, not ${typeof value === 'number' ? value : JSON.stringify(value)}`,
    )
}
