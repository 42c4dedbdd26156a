import type { BreakerCount, RepeatCount, RuleMode } from '../../../base/index.ts'
import type { DetectorName, ToolTraits } from '../../../events/settings/index.ts'

/** `true` is `on`, `false` is `off`; `shadow` records what would have fired and does nothing about it. */
export type ModeOption = RuleMode | boolean

/** What can be said about loop detection; everything has a default, see `standardLoopDetection`. */
export interface LoopDetectionOptions {
  /** Of all detectors. Default `on`: on recorded runs it did no harm to those that succeeded. */
  readonly mode?: ModeOption
  /** Single detectors by name, such as `{ ping_pong: 'shadow' }`. Default: all follow `mode`. */
  readonly detectors?: Readonly<Partial<Record<DetectorName, ModeOption>>>
  /** Calls that are looked back, 2 to 150. Default 30: three times the first warning, as the field has it. */
  readonly historySize?: number
  /** Equal calls after which the drive is told. Default 10: honest work hardly repeats a call so often. */
  readonly warningThreshold?: number
  /** Equal calls after which the next one is refused. Default 20: as many again, for the warning to be heeded. */
  readonly criticalThreshold?: number
  /**
   * What `generic_repeat` tells of. Default `same-result`: equal calls that gave the same. `same-call`: equal calls whatever came of
   * them, as in OpenClaw: told and refused at the same numbers.
   */
  readonly repeatCounts?: RepeatCount
  /** Calls of any kind without progress after which the next one is refused. Default 30: a whole history. */
  readonly globalCircuitBreakerThreshold?: number
  /**
   * What the circuit breaker counts. Default `no-progress`: work that gets on is never too long. `every-call`: all calls
   * of a task, which makes it a cap.
   */
  readonly circuitBreakerCounts?: BreakerCount
  /** Calls of a task before one is refused; 0: none. Default 5: a shorter run has nothing to lose. */
  readonly warmUpCalls?: number
  /** Times in a row of one call with one result. Default 4: three can be chance, such as a test that is run again. */
  readonly cycleRepeats?: number
  /**
   * Times in a row of one failure, from calls that come back. Default 4: three tries are honest. Calls that were each tried once
   * are told at 20 and end the run at 34, whatever is said here: a batch may fail alike in every piece.
   */
  readonly sameFailureThreshold?: number
  /**
   * Times that the drive called different trees done, and the same checks failed in the same way. Default 8: a hard bug takes
   * some tries. Changes that nobody called done are only told.
   */
  readonly failedCheckRepeatThreshold?: number
  /** Equal answers of the drive. Default 4: three status messages in a row are honest. */
  readonly repeatedReplyThreshold?: number
  /**
   * Turns with refused calls before the run ends; 0: it ends as soon as a loop is critical. Default 3: one for a call,
   * one for a batch, one to recover.
   */
  readonly vetoesUntilEnd?: number
  /** What is known of single tools, by name. Default: nothing; calls that wait are known by common names. */
  readonly tools?: Readonly<Record<string, ToolTraits>>
}
