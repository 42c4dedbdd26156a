import { z } from 'zod'
import {
  ruleModes,
  type Recorded,
  completeWhenChoices,
  undecidedChoices,
  verifyWhenChoices,
} from '../../base/index.ts'
import { detectorNames, agentKinds, verifierRoles } from './words.ts'
import { everyAmount, everyCap } from '../../budgets/index.ts'
import { pricesUsd } from '../../usage/index.ts'

export { checksOnly, detectorNames, agentKinds, verifierRoles } from './words.ts'
export type { DetectorName, VerifierRole } from './words.ts'

const mode = z.enum(ruleModes)
const atLeast = (least: number) => z.number().int().min(least)

/** Call records kept per run, so that its memory stays below 64 KB. */
export const maxHistory = 150

/** What the user declares about a tool. The rest is guessed from its name, effect and results. */
export type ToolTraits = Recorded<typeof toolTraits>
const toolTraits = z
  .strictObject({
    /** It reports a status: its calls are left to `known_poll_no_progress`. False: never a poll. */
    poll: z.boolean().exactOptional(),
    /** An equal result is a repetition even if the work changed. */
    readOnly: z.boolean().exactOptional(),
    /** An equal result for other arguments is no `argument_churn`. False: it never changes the work. */
    mutating: z.boolean().exactOptional(),
    /** Repeated success is reported, and refused only from `criticalThreshold` equal calls on. */
    idempotent: z.boolean().exactOptional(),
    /** Meaningless argument keys, such as a request id: top-level or dotted (`meta.requestId`). */
    volatileArguments: z.array(z.string()).exactOptional(),
    /** Meaningless keys of its JSON result, at any depth. Other results are compared as they are. */
    volatileResults: z.array(z.string()).exactOptional(),
  })
  .refine(({ readOnly, mutating }) => !(readOnly === true && mutating === true), {
    error: 'cannot be readOnly and mutating at once: leave one of them out',
  })

export type LoopDetectionSettings = Recorded<typeof loopDetectionSettings>
const loopDetectionSettings = z.strictObject({
  /** The mode of all detectors. On recorded runs they did not harm successful runs of new models. */
  mode,
  /** Modes of single detectors, such as `{ ping_pong: 'shadow' }`; the others follow `mode`. */
  detectors: z.partialRecord(z.enum(detectorNames), mode),
  /** Calls that the equal-call detectors look back: three times the first warning. */
  historySize: atLeast(2).max(maxHistory),
  /** Equal calls without progress before the agent is warned: honest work rarely repeats this often. */
  warningThreshold: atLeast(2),
  /** Equal calls without progress before the next one is refused, which leaves time to heed the warning. */
  criticalThreshold: atLeast(2),
  /** Calls of any kind without progress before the next one is refused. */
  globalCircuitBreakerThreshold: atLeast(2),
  /** Calls of a task before one may be refused: a shorter run has nothing to lose. */
  warmUpCalls: atLeast(0),
  /** Consecutive repeats of one call with one result: three can be chance, such as a rerun test. */
  cycleRepeats: atLeast(2),
  /** Consecutive equal failures of repeated calls. Calls made once are reported at 20, end it at 34. */
  sameFailureThreshold: atLeast(2),
  /** Claimed trees that fail the same checks in the same way; changes without a claim are only reported. */
  failedCheckRepeatThreshold: atLeast(2),
  /** Equal replies of the agent: three status messages in a row are honest. */
  repeatedReplyThreshold: atLeast(2),
  /** Turns with refused calls before the run ends; 0 ends it as soon as a loop is critical. */
  vetoesUntilEnd: atLeast(0),
  /** Traits of single tools, by name; common waiting tools are known. */
  tools: z.record(z.string(), toolTraits),
})
export type LoopDetectionOptions = Recorded<typeof loopDetectionOptions>
export const loopDetectionOptions = loopDetectionSettings.partial()

/** Equal-call counts are customary; the others were tuned on recorded runs (`docs/measured/detectors.md`). */
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
  /** Verifications without a new best; the agent is warned at half. New kinds of failure double it. */
  patienceVerifications: atLeast(1),
  /** This many verifications without a claim count as one: a hard task fails until its last edit. */
  changesPerClaim: atLeast(1),
  /** A better score exceeds the best by more than this. Use a larger value for noisy scores. */
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
  /** Output tokens, sub-runs included, before the agent may stop by itself. No default. */
  budgetTokens: atLeast(1),
  /** Ratio of the budget from which the agent may stop; at 1 it fills the rest with words. */
  completionShareOfBudget: z.number().positive().max(1),
  /** A round with fewer output tokens counts as diminishing: about a page of text or code. */
  diminishingTokens: z.number().nonnegative(),
  /** Continuations before rounds can count as diminishing. */
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
  name: text,
  /** A verdict that is not required is only recorded. */
  required: z.boolean(),
  weight: z.number(),
  /** Judges are not deterministic. Deterministic verifiers run first and may veto them. */
  deterministic: z.boolean(),
  /** The work tree or the final answer. An answer cannot be checked before it exists. */
  reads: z.enum(['workspace', 'answer']),
  /**
   * `check`: has a vote. `held-out`: has a vote, runs only at the end, and the agent sees only a number.
   * `probe`: has a vote, runs only at the end, and tests whether the checks can fail. `guard`: has no vote,
   * but nothing is verified unless it passes.
   */
  role: z.enum(verifierRoles),
  /** Families of its judging models, such as `claude`; absent if there are none or they are unknown. */
  families: z.array(text).exactOptional(),
})

export type AgentDescription = Recorded<typeof agentDescription>
export const agentDescription = z.object({
  kind: z.enum(agentKinds),
  /** For display, such as `openai/gpt-5` or the agent's command. */
  name: text,
  /** A call may change the world itself (an external agent), so an unknown outcome is reported. */
  sideEffects: z.boolean(),
  /** False: token and cost caps cannot be enforced. */
  reportsUsage: z.boolean(),
  prices: pricesUsd.nullable(),
  maxOutputTokens: count,
  /** Upper limit of prompt and reply together. */
  contextWindowTokens: count,
  /** It calls its own tools within its turn: replies with calls are steps of one turn. */
  ownsTools: z.literal(true).exactOptional(),
  /** Each reply includes its cost, so a cost cap works without a known price. */
  reportsCost: z.literal(true).exactOptional(),
})

export type ReplyCheckSettings = Recorded<typeof replyCheckSettings>
const replyCheckSettings = z.object({
  /** Includes the first one. */
  maxAttempts: z.number().int().positive(),
  /** `all`, or claim words with the words that negate them. */
  trigger: z.union([z.literal('all'), z.object({ keywords: z.array(text), negations: z.array(text) })]),
  onUndecided: z.enum(undecidedChoices),
  /** Tools that send a message to the receiver of the reply. */
  messagingTools: z.array(text),
  /** The user sees the first attempt while it arrives. */
  streams: z.boolean(),
  delivers: z.boolean(),
  /** A passing reply counts as verified unless a check decides otherwise. False: the judge only advises. */
  verifies: z.boolean(),
  /** Families of the judging models, such as `claude`; absent if there are none or they are unknown. */
  families: z.array(text).exactOptional(),
})

/** How long a run waits for its provider, counted from the first failure in a row. */
export type ProviderWaits = Recorded<typeof providerWaits>
const providerWaits = z.object({
  /** For a provider that is overloaded, limits the rate, or responded before and cannot be reached now. */
  providerMs: z.number().nonnegative(),
  /** For a usage limit to reset; 0 means never. */
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
  /** Reserves the longest check time so far under the time caps for the last check. */
  reservesLastCheck: z.boolean(),
  /** Whether the agent is asked for a summary, without tools, after an early end. */
  finalSummary: z.boolean(),
  finalSummaryTokens: count,
  aggregate: text,
  soft: softSettings.nullable(),
  /** Null if replies are delivered unverified. */
  replyCheck: replyCheckSettings.nullable(),
  verifiers: z.array(verifierDescription),
})
