/** The settings of the classic profile: what was refused when they were loaded, and what they came to when a call ran. */
import * as z from 'zod'

const positive = z.int().positive()

/** Unknown keys are refused. The history is not checked against the limits, so some settings can never fire. */
export const loopConfigSchema = z
  .strictObject({
    enabled: z.boolean(),
    historySize: positive,
    warningThreshold: positive,
    criticalThreshold: positive,
    globalCircuitBreakerThreshold: positive,
    detectors: z
      .strictObject({ genericRepeat: z.boolean(), knownPollNoProgress: z.boolean(), pingPong: z.boolean() })
      .partial(),
  })
  .partial()
  .refine(({ warningThreshold, criticalThreshold }) => isRising(warningThreshold, criticalThreshold), {
    message: 'warningThreshold must be below criticalThreshold',
  })
  .refine(
    ({ criticalThreshold, globalCircuitBreakerThreshold }) =>
      isRising(criticalThreshold, globalCircuitBreakerThreshold),
    { message: 'criticalThreshold must be below globalCircuitBreakerThreshold' },
  )

function isRising(lower: number | undefined, upper: number | undefined): boolean {
  return lower === undefined || upper === undefined || lower < upper
}

/** May hold numbers that the schema refuses: at run time they were mended. */
export interface LoopConfig {
  readonly enabled?: boolean
  /** Calls. */
  readonly historySize?: number
  /** Calls, as the next two. */
  readonly warningThreshold?: number
  readonly criticalThreshold?: number
  readonly globalCircuitBreakerThreshold?: number
  readonly detectors?: {
    readonly genericRepeat?: boolean
    readonly knownPollNoProgress?: boolean
    readonly pingPong?: boolean
  }
}

export interface Limits {
  readonly enabled: boolean
  readonly historySize: number
  readonly warning: number
  readonly critical: number
  readonly breaker: number
  readonly detects: { readonly genericRepeat: boolean; readonly poll: boolean; readonly pingPong: boolean }
}

/** Off unless said otherwise. */
export function limitsOf(config: LoopConfig | undefined): Limits {
  const warning = count(config?.warningThreshold, 10)
  const critical = above(warning, count(config?.criticalThreshold, 20))
  const { genericRepeat = true, knownPollNoProgress = true, pingPong = true } = config?.detectors ?? {}
  return {
    enabled: config?.enabled ?? false,
    historySize: count(config?.historySize, 30),
    warning,
    critical,
    breaker: above(critical, count(config?.globalCircuitBreakerThreshold, 30)),
    detects: { genericRepeat, poll: knownPollNoProgress, pingPong },
  }
}

function count(given: number | undefined, otherwise: number): number {
  return given !== undefined && Number.isInteger(given) && given > 0 ? given : otherwise
}

function above(lower: number, upper: number): number {
  return upper <= lower ? lower + 1 : upper
}
