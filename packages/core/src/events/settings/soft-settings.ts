/**
 * The soft tier, declared once: what is recorded with a run, the defaults, and the options, which are the same with most of it
 * left out. A configuration and the library take the options.
 */
import { z } from 'zod'
import { breakerCountChoices, repeatCountChoices, ruleModes, type Recorded } from '../../base/index.ts'
import { detectorNames } from './words.ts'

/** `shadow` records what would have been done and does nothing. */
const mode = z.enum(ruleModes)
const atLeast = (least: number) => z.number().int().min(least)

/** Records of calls that are kept for a run at most, so that its memory stays below 64 KB. */
export const maxHistory = 150

/** What its user knows of a tool. What is not said is guessed from the tool's name, effect and answers. */
export type ToolTraits = Recorded<typeof toolTraits>
const toolTraits = z
  .strictObject({
    /**
     * Asks how something stands: being asked again is its purpose. Its calls are left to `known_poll_no_progress`, and
     * count neither for `cycle` nor as words said again over nothing. False: it is none, whatever its name.
     */
    poll: z.boolean().exactOptional(),
    /**
     * Changes nothing. The same result is a repetition even if the work was changed in between. Whether the tree is looked
     * at after it is told by the tool's `effect`, not by this.
     */
    readOnly: z.boolean().exactOptional(),
    /**
     * Changes the work, even if its `effect` is `execute`: an equal result of other arguments is then no `argument_churn`.
     * False: it never does, even if its `effect` is `write`.
     */
    mutating: z.boolean().exactOptional(),
    /**
     * A second call with the same arguments gives the same and does no harm: a success that repeats is told, and refused
     * only from `criticalThreshold` equal ones on, by whatever detector. Failures are treated as everybody's.
     */
    idempotent: z.boolean().exactOptional(),
    /**
     * Keys of its arguments that differ from call to call and mean nothing, such as a request id: calls that differ in
     * nothing else are the same call. A key at the top, or a path of keys with dots (`meta.requestId`).
     */
    volatileArguments: z.array(z.string()).exactOptional(),
    /**
     * Keys of its JSON result that differ from call to call and mean nothing, at any depth: results that differ in nothing
     * else are the same result. A result that is no JSON is compared as it is.
     */
    volatileResults: z.array(z.string()).exactOptional(),
  })
  .refine(({ readOnly, mutating }) => !(readOnly === true && mutating === true), {
    error: 'cannot be readOnly and mutating at once: leave one of them out',
  })

export type LoopDetectionSettings = Recorded<typeof loopDetectionSettings>
const loopDetectionSettings = z.strictObject({
  /** Of all detectors. On recorded runs they did no harm to those of new models that succeeded. */
  mode,
  /** Mode of single detectors, such as `{ ping_pong: 'shadow' }`; those that are not named follow `mode`. */
  detectors: z.partialRecord(z.enum(detectorNames), mode),
  /** Calls that the detectors of equal calls look back: three times the first warning. */
  historySize: atLeast(2).max(maxHistory),
  /** Equal calls without progress after which the drive is told: honest work hardly repeats a call so often. */
  warningThreshold: atLeast(2),
  /** Equal calls without progress after which the next one is refused: as many again, for the warning to be heeded. */
  criticalThreshold: atLeast(2),
  /**
   * What `generic_repeat` tells of. `same-result`: equal calls that gave the same. `same-call`: equal calls whatever came of
   * them, as in OpenClaw: told and refused at the same numbers.
   */
  repeatCounts: z.enum(repeatCountChoices),
  /** Calls of any kind without progress after which the next one is refused: a whole history. */
  globalCircuitBreakerThreshold: atLeast(2),
  /**
   * What the circuit breaker counts. `no-progress`: work that gets on is never too long. `every-call`: all calls of a task,
   * which makes it a cap.
   */
  circuitBreakerCounts: z.enum(breakerCountChoices),
  /** Calls of a task before one may be refused: a shorter run has nothing to lose. */
  warmUpCalls: atLeast(0),
  /** Times in a row of one call with one result: three can be chance, such as a test that is run again. */
  cycleRepeats: atLeast(2),
  /**
   * Times in a row of one failure, from calls that come back: three tries are honest. Calls that were each tried once are
   * told at 20 and end the run at 34, whatever is set here: a batch may fail alike in every piece.
   */
  sameFailureThreshold: atLeast(2),
  /**
   * Times that the drive called different trees done, and the same checks failed in the same way: a hard bug takes some
   * tries. Changes that nobody called done are only told.
   */
  failedCheckRepeatThreshold: atLeast(2),
  /** Equal answers of the drive: three status messages in a row are honest. */
  repeatedReplyThreshold: atLeast(2),
  /**
   * Turns with refused calls before the run ends: one for a call, one for a batch, one to recover. 0: it ends as soon as a
   * loop is critical.
   */
  vetoesUntilEnd: atLeast(0),
  /** What is known of single tools, by name; calls that wait are known by common names. */
  tools: z.record(z.string(), toolTraits),
})
export type LoopDetectionOptions = Recorded<typeof loopDetectionOptions>
export const loopDetectionOptions = loopDetectionSettings.partial()

/**
 * The counts of equal calls are those that the field knows (history 30, warning 10, critical 20, breaker 30); the others were
 * tuned on recorded runs, see `docs/measured/detectors.md`.
 */
export const standardLoopDetection: LoopDetectionSettings = {
  mode: 'on',
  detectors: {},
  historySize: 30,
  warningThreshold: 10,
  criticalThreshold: 20,
  repeatCounts: 'same-result',
  globalCircuitBreakerThreshold: 30,
  circuitBreakerCounts: 'no-progress',
  warmUpCalls: 5,
  cycleRepeats: 4,
  sameFailureThreshold: 4,
  failedCheckRepeatThreshold: 8,
  repeatedReplyThreshold: 4,
  vetoesUntilEnd: 3,
  tools: {},
}

export type StagnationSettings = Recorded<typeof stagnationSettings>
const stagnationSettings = z.strictObject({
  mode,
  /**
   * Verifications in a row that are no better than the best before them: after half of them the drive is told, and it has as
   * many again to take another way. Failures that were never seen before double it.
   */
  patienceVerifications: atLeast(1),
  /**
   * Verifications of work that nobody called done count as one, so many together: with checks after every change, a hard task
   * stays red for many edits until its last one.
   */
  changesPerClaim: atLeast(1),
  /**
   * A score, 0 to 1, must exceed the best by more than this to be better: one test more out of many thousand is progress,
   * and rounding is not. Make it larger where a score is noisy, such as a judge's.
   */
  epsilonScore: z.number().nonnegative().lt(1),
})
export type StagnationOptions = Recorded<typeof stagnationOptions>
export const stagnationOptions = stagnationSettings.partial()

export const standardStagnation: StagnationSettings = {
  mode: 'on',
  patienceVerifications: 8,
  changesPerClaim: 5,
  epsilonScore: 0.000_001,
}

export type TokenBudgetSettings = Recorded<typeof tokenBudgetSettings>
const tokenBudgetSettings = z.strictObject({
  mode,
  /**
   * Output tokens of the whole task, sub-runs included, that the drive may spend before it may stop by itself. There is no
   * default: a budget that nobody asked for makes a short task long.
   */
  budgetTokens: atLeast(1),
  /** Share of the budget from which on it may stop: whoever is kept going to the last token fills the rest with words. */
  completionShareOfBudget: z.number().positive().max(1),
  /** A round with fewer output tokens brings little: about a page of text or code. */
  diminishingTokens: z.number().nonnegative(),
  /** Continuations before rounds can be called diminishing: a short answer or two is how a model ends a step. */
  minContinuations: atLeast(0),
  /**
   * `three-rounds` looks at three real rounds, each below the bound; `classic` looks at two, as the copies of the rule do,
   * though they speak of three.
   */
  window: z.enum(['classic', 'three-rounds']),
})
export type TokenBudgetOptions = Recorded<typeof tokenBudgetOptions>
export const tokenBudgetOptions = tokenBudgetSettings.partial({
  mode: true,
  completionShareOfBudget: true,
  diminishingTokens: true,
  minContinuations: true,
  window: true,
})
export const standardTokenBudget: Omit<TokenBudgetSettings, 'budgetTokens'> = {
  mode: 'on',
  completionShareOfBudget: 0.9,
  diminishingTokens: 500,
  minContinuations: 3,
  window: 'three-rounds',
}

export type SoftSettings = Recorded<typeof softSettings>
export const softSettings = z.object({
  loopDetection: loopDetectionSettings,
  stagnation: stagnationSettings,
  /** Null: the drive is not held to a budget. */
  tokenBudget: tokenBudgetSettings.nullable(),
})
