/** How the soft tier was set up: plain numbers and words, recorded with the run, so that a resume needs nothing else. */
import { z } from 'zod'
import { breakerCountChoices, repeatCountChoices, ruleModes, type Recorded } from '../../base/index.ts'
import { detectorNames } from './words.ts'

const mode = z.enum(ruleModes)
const count = z.number().int().positive()
const countOrNone = z.number().int().nonnegative()

/** What its user knows of a tool. What is not said is guessed from the tool's name, effect and answers. */
export type ToolTraits = Recorded<typeof toolTraits>
const toolTraits = z.object({
  /**
   * Asks how something stands: being asked again is its purpose. Its calls are left to `known_poll_no_progress`, and
   * count neither for `cycle` nor as words said again over nothing. False: it is none, whatever its name.
   */
  poll: z.boolean().exactOptional(),
  /**
   * Changes nothing. The same result is a repetition even if the work was changed in between. Whether the tree is looked at after it is told by the tool's `effect`, not by this.
   */
  readOnly: z.boolean().exactOptional(),
  /**
   * Changes the work, even if its `effect` is `execute`: an equal result of other arguments is then no `argument_churn`.
   * False: it never does, even if its `effect` is `write`.
   */
  mutating: z.boolean().exactOptional(),
  /**
   * A second call with the same arguments gives the same and does no harm: a success that repeats is told, and refused
   * only from `criticalCalls` equal ones on, by whatever detector. Failures are treated as everybody's.
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

export type LoopDetectionSettings = Recorded<typeof loopDetectionSettings>
const loopDetectionSettings = z.object({
  mode,
  /** Mode of single detectors; those that are not named follow `mode`. */
  detectors: z.partialRecord(z.enum(detectorNames), mode),
  /** Calls that the detectors of equal calls look back. */
  historyCalls: count,
  /** Equal calls without progress after which the drive is told. */
  warningCalls: count,
  /** Equal calls without progress after which the next one is refused. */
  criticalCalls: count,
  /** `same-call`: the drive is told of equal calls whatever came of them. */
  repeatCounts: z.enum(repeatCountChoices).default('same-result'),
  /** Calls of any kind without progress after which the next one is refused. */
  breakerCalls: count,
  /** `every-call`: the breaker counts all calls of the task, progress or not. */
  breakerCounts: z.enum(breakerCountChoices),
  /** No call is refused before so many have run: so short a run has nothing to lose. */
  warmUpCalls: countOrNone,
  /** The same call with the same result, so many times in a row. */
  cycleRepeats: count,
  /** The same failure, so many times in a row, whatever was called. */
  sameFailures: count,
  /** The same set of failing checks, on so many different trees in a row that were called done. */
  failedCheckRepeats: count,
  /** The same answer of the drive, so many times. */
  repeatedReplies: count,
  /** Turns in which calls are refused before the run ends; 0: it ends as soon as a loop is critical. */
  vetoesUntilEnd: countOrNone,
  tools: z.record(z.string(), toolTraits),
})

export type StagnationSettings = Recorded<typeof stagnationSettings>
const stagnationSettings = z.object({
  mode,
  /** Verifications in a row that are no better than the best before them. */
  patienceVerifications: count,
  /** Verifications of work that nobody called done count as one, so many together. */
  changesPerClaim: count,
  /** A score must exceed the best by more than this to be better. 0 to 1. */
  epsilonScore: z.number().nonnegative(),
})

export type TokenBudgetSettings = Recorded<typeof tokenBudgetSettings>
const tokenBudgetSettings = z.object({
  mode,
  /** Output tokens that the drive may spend before it may stop by itself. */
  budgetTokens: z.number().positive(),
  /** Share of the budget from which on it may stop. */
  completionShare: z.number(),
  /** A round with fewer output tokens brings little. */
  diminishingTokens: z.number(),
  /** Continuations before rounds can be called diminishing. */
  minContinuations: countOrNone,
  /** `classic`: the last two rounds, as the widely copied rule has it. `three-rounds`: three real rounds. */
  window: z.enum(['classic', 'three-rounds']),
})

export type SoftSettings = Recorded<typeof softSettings>
export const softSettings = z.object({
  loopDetection: loopDetectionSettings,
  stagnation: stagnationSettings,
  /** Null: the drive is not held to a budget. */
  tokenBudget: tokenBudgetSettings.nullable(),
})
