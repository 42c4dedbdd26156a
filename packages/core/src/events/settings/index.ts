/** What a run was started with. */
import { z } from 'zod'
import {
  ruleModes,
  type Recorded,
  completeWhenChoices,
  undecidedChoices,
  verifyWhenChoices,
} from '../../base/index.ts'
import { detectorNames, driveKinds, verifierRoles } from './words.ts'
import { everyAmount, everyCap } from '../../budgets/index.ts'
import { pricesUsd } from '../../usage/index.ts'

export { checksOnly, detectorNames, driveKinds, verifierRoles } from './words.ts'
export type { DetectorName, VerifierRole } from './words.ts'

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
  /** Calls of any kind without progress after which the next one is refused: a whole history. */
  globalCircuitBreakerThreshold: atLeast(2),
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
  globalCircuitBreakerThreshold: 30,
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
})
export type TokenBudgetOptions = Recorded<typeof tokenBudgetOptions>
export const tokenBudgetOptions = tokenBudgetSettings.partial({
  mode: true,
  completionShareOfBudget: true,
  diminishingTokens: true,
  minContinuations: true,
})
export const standardTokenBudget: Omit<TokenBudgetSettings, 'budgetTokens'> = {
  mode: 'on',
  completionShareOfBudget: 0.9,
  diminishingTokens: 500,
  minContinuations: 3,
}

export type SoftSettings = Recorded<typeof softSettings>
export const softSettings = z.object({
  loopDetection: loopDetectionSettings,
  stagnation: stagnationSettings,
  /** Null: the drive is not held to a budget. */
  tokenBudget: tokenBudgetSettings.nullable(),
})

const text = z.string()
const count = z.number().int().nonnegative()

const amount = z.number().nonnegative()
const bound = amount.nullable()
const perTool = z.record(z.string(), amount)

export const caps = z.object({
  ...everyCap('field', () => bound),
  maxCallsPerTool: perTool,
})

export const budget = z.object({
  ...everyAmount(() => amount.exactOptional()),
  callsPerTool: perTool.exactOptional(),
})

export type VerifierDescription = Recorded<typeof verifierDescription>
export const verifierDescription = z.object({
  /** Unique in a run. */
  name: text,
  /** A required verdict decides; one that is not required is recorded only. */
  required: z.boolean(),
  weight: z.number(),
  /** A judge is not deterministic; deterministic verifiers run before it and may veto it. */
  deterministic: z.boolean(),
  /** What is looked at: the work tree, or the final answer. An answer cannot be checked before there is one. */
  reads: z.enum(['workspace', 'answer']),
  /**
   * `check`: has a vote. `held-out`: has a vote, runs at the end only, and the drive is told of it as a number alone.
   * `probe`: has a vote and runs at the end only: it asks whether the checks are able to fail.
   * `guard`: has no vote; unless it passes, nothing is verified.
   */
  role: z.enum(verifierRoles),
  /** Of the models that judge here, such as `claude`. Absent: no model judges, or it is not known. */
  families: z.array(text).exactOptional(),
})

export type DriveDescription = Recorded<typeof driveDescription>
export const driveDescription = z.object({
  kind: z.enum(driveKinds),
  /** For people, such as `openai/gpt-5` or the agent's command. */
  name: text,
  /** Its call may change the world by itself (an external agent): a call whose outcome is unknown is told to the next. */
  sideEffects: z.boolean(),
  /** False: its usage cannot be known, so token and cost caps cannot be enforced. */
  reportsUsage: z.boolean(),
  /** Null: the price is unknown. */
  prices: pricesUsd.nullable(),
  /** Upper bound of one reply. */
  maxOutputTokens: count,
  /** Upper bound of prompt and reply together. */
  contextWindowTokens: count,
  /**
   * It brings its own tools and calls them within its turn: its replies that propose calls are steps of one turn, which ends
   * when it says so.
   */
  ownsTools: z.literal(true).exactOptional(),
  /** What a reply has cost comes with it: a cap on cost can be kept although no price is known. */
  reportsCost: z.literal(true).exactOptional(),
})

/** How replies are verified. */
export type ReplyCheckSettings = Recorded<typeof replyCheckSettings>
const replyCheckSettings = z.object({
  /** The first one included. */
  maxAttempts: z.number().int().positive(),
  /** `all`, or words of which one must claim something; words that turn such a claim into its opposite. */
  trigger: z.union([z.literal('all'), z.object({ keywords: z.array(text), negations: z.array(text) })]),
  onUndecided: z.enum(undecidedChoices),
  /** Names of tools that send a message to whom the reply is for. */
  messagingTools: z.array(text),
  /** What comes in of the first attempt reaches the user at once. */
  streams: z.boolean(),
  /** Somebody takes the reply. */
  delivers: z.boolean(),
  /** What passes is verified where no check decides otherwise. False: the judge advises alone. */
  verifies: z.boolean(),
  /** Of the models that judge, such as `claude`. Absent: no model judges, or it is not known. */
  families: z.array(text).exactOptional(),
})

/** How long a run waits for its provider, counted from the first refusal in a row. */
export type ProviderWaits = Recorded<typeof providerWaits>
const providerWaits = z.object({
  /** For a provider that is overloaded, limits the rate, or has answered before and cannot be reached now. */
  providerMs: z.number().nonnegative(),
  /** For the reset of a usage limit. 0: never. */
  limitMs: z.number().nonnegative(),
})

export const usualProviderWaits: ProviderWaits = { providerMs: 900_000, limitMs: 21_600_000 }

export type RunSettings = Recorded<typeof runSettings>
export const runSettings = z.object({
  caps,
  completeWhen: z.enum(completeWhenChoices),
  verifyWhen: z.enum(verifyWhenChoices),
  verifyAtCap: z.boolean(),
  providerWaits,
  /** The longest that the checks have taken so far is kept free under the caps on time, for the last check. */
  reservesLastCheck: z.boolean(),
  /** After an early end was decided, the drive is asked once more, without tools, for what is done and what is left. */
  finalSummary: z.boolean(),
  /** Upper bound of that one reply. */
  finalSummaryTokens: count,
  policy: text,
  /** Null if the run has no soft tier. */
  soft: softSettings.nullable(),
  /** Null if replies are delivered as they come. */
  replyCheck: replyCheckSettings.nullable(),
  verifiers: z.array(verifierDescription),
})
