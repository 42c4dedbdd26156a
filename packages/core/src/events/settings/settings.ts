/** What a run was started with: recorded once, so that resume and replay need nothing else. */
import type { Caps, PricesUsd } from '../../budgets/index.ts'
import type { CompleteWhen, VerifyWhen } from '../../base/index.ts'
import type { ReplyCheckSettings } from './reply-settings.ts'
import type { SoftSettings } from './soft-settings.ts'

export interface VerifierDescription {
  /** Unique in a run. */
  readonly name: string
  /** A required verdict decides; one that is not required is recorded only. */
  readonly required: boolean
  readonly weight: number
  /** A judge is not deterministic; deterministic verifiers run before it and may veto it. */
  readonly deterministic: boolean
  /** What is looked at: the work tree, or the final answer. An answer cannot be checked before there is one. */
  readonly reads: 'workspace' | 'answer'
  /**
   * `check`: has a vote. `held-out`: has a vote, runs at the end only, and the drive is told of it as a number alone.
   * `probe`: has a vote and runs at the end only: it asks whether the checks are able to fail.
   * `guard`: has no vote; unless it passes, nothing is verified.
   */
  readonly role: VerifierRole
  /** Of the models that judge here, such as `claude`. Absent: no model judges, or it is not known. */
  readonly families?: readonly string[]
}

export const verifierRoles = ['check', 'held-out', 'probe', 'guard'] as const
export type VerifierRole = (typeof verifierRoles)[number]

export const driveKinds = ['scripted', 'model', 'command', 'agent', 'custom'] as const

export interface DriveDescription {
  readonly kind: (typeof driveKinds)[number]
  /** For people, such as `openai/gpt-5` or the agent's command. */
  readonly name: string
  /** Its call may change the world by itself (an external agent): a call whose outcome is unknown is told to the next. */
  readonly sideEffects: boolean
  /** False: its usage cannot be known, so token and cost caps cannot be enforced. */
  readonly reportsUsage: boolean
  /** Null: the price is unknown. */
  readonly prices: PricesUsd | null
  /** Upper bound of one reply. */
  readonly maxOutputTokens: number
  /** Upper bound of prompt and reply together. */
  readonly contextWindowTokens: number
  /**
   * It brings its own tools and calls them within its turn: its replies that propose calls are steps of one turn, which ends
   * when it says so.
   */
  readonly ownsTools?: true
  /** What a reply has cost comes with it: a cap on cost can be kept although no price is known. */
  readonly reportsCost?: true
}

export interface RunSettings {
  readonly caps: Caps
  readonly completeWhen: CompleteWhen
  readonly verifyWhen: VerifyWhen
  readonly verifyAtCap: boolean
  /** Tries of one model call, the first one included. */
  readonly maxModelAttempts: number
  /** How many model calls that never reached the provider are given back in one run. */
  readonly maxRefunds: number
  /** The longest that the checks have taken so far is kept free under the caps on time, for the last check. */
  readonly reservesLastCheck: boolean
  /** After an early end was decided, the drive is asked once more, without tools, for what is done and what is left. */
  readonly finalSummary: boolean
  /** Upper bound of that one reply. */
  readonly finalSummaryTokens: number
  readonly policy: string
  /** Null: a run that was recorded before there was a soft tier, or that has none. */
  readonly soft: SoftSettings | null
  /** Null: replies are delivered as they come. */
  readonly replyCheck: ReplyCheckSettings | null
  readonly verifiers: readonly VerifierDescription[]
}
