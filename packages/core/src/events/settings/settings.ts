/**
 * What a run was started with: recorded once, so that resume and replay need nothing else. What older runs did not record yet has
 * its value from that time as default.
 */
import { z } from 'zod'
import { completeWhenChoices, undecidedChoices, verifyWhenChoices, type Recorded } from '../../base/index.ts'
import { everyAmount, everyCap, type Bound } from '../../budgets/index.ts'
import { pricesUsd } from '../../usage/index.ts'
import { softSettings } from './soft-settings.ts'
import { driveKinds, verifierRoles } from './words.ts'

const text = z.string()
const count = z.number().int().nonnegative()

const amount = z.number().nonnegative()
const bound = amount.nullable()
const laterBound = bound.default(null)
const perTool = z.record(z.string(), amount)

/** Caps of the first runs. Those that came later were off before. */
const firstCaps: readonly Bound[] = [
  'iterations',
  'modelCalls',
  'toolCalls',
  'tokens',
  'costUsd',
  'wallClockMs',
]

export const caps = z.object({
  ...everyCap('field', (name) => (firstCaps.includes(name) ? bound : laterBound)),
  maxCallsPerTool: perTool.default({}),
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
  role: z.enum(verifierRoles).default('check'),
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
  providerWaits: providerWaits.default(usualProviderWaits),
  /** The longest that the checks have taken so far is kept free under the caps on time, for the last check. */
  reservesLastCheck: z.boolean().default(false),
  /** After an early end was decided, the drive is asked once more, without tools, for what is done and what is left. */
  finalSummary: z.boolean().default(false),
  /** Upper bound of that one reply. */
  finalSummaryTokens: count.default(1024),
  policy: text,
  /** Null: a run that was recorded before there was a soft tier, or that has none. */
  soft: softSettings.nullable().default(null),
  /** Null: replies are delivered as they come. */
  replyCheck: replyCheckSettings.nullable().default(null),
  verifiers: z.array(verifierDescription),
})
