/** What a run was started with: recorded once, so that resume and replay need nothing else. */
import type { SoftSettings } from './soft-settings.ts'

/** A cap of null is switched off. Every number is an upper bound that is never exceeded (I9). */
export interface Caps {
  readonly maxIterations: number | null
  readonly maxModelCalls: number | null
  readonly maxToolCalls: number | null
  /** Of every tool that is named. One call more is refused, and the run goes on. */
  readonly maxCallsPerTool: Readonly<Record<string, number>>
  /** Input and output tokens of all model calls together. */
  readonly maxTokens: number | null
  /** Input tokens that did not come from the provider's cache; what nobody told apart counts. */
  readonly maxUncachedInputTokens: number | null
  /** Input tokens that came from the provider's cache; what nobody told apart counts here too. */
  readonly maxCachedInputTokens: number | null
  /** Output tokens of all model calls together, thoughts included. */
  readonly maxTotalOutputTokens: number | null
  /** Tokens of thoughts; output of which nobody said how much was thought counts whole. */
  readonly maxReasoningTokens: number | null
  readonly maxCostUsd: number | null
  /** Time in which the run is active; sleep between stop and resume does not count. */
  readonly maxWallClockMs: number | null
  /** Time in model calls, tools and checks; waiting for people and back-off does not count. */
  readonly maxWorkingMs: number | null
  /** Turns in a row that end with open checks and no better score than ever: how often a drive is sent back. */
  readonly maxSendBacks: number | null
}

/**
 * `checks`: checks that were red before end the run when green. `checks-and-claim`: the drive must claim too. Checks that
 * were green before always need the claim, and a change (section 4.4).
 */
export type CompleteWhen = 'checks' | 'checks-and-claim'

export type VerifyWhen = 'on-change-or-claim' | 'every-turn' | 'on-change' | 'on-claim'

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
}

export type VerifierRole = 'check' | 'held-out' | 'probe' | 'guard'

export interface PricesUsd {
  readonly inputPerMillionTokens: number
  /** Of input that comes from the provider's cache. Absent: it costs as much as other input. */
  readonly cachedInputPerMillionTokens?: number
  readonly outputPerMillionTokens: number
}

export interface DriveDescription {
  readonly kind: 'scripted' | 'model' | 'command' | 'agent' | 'custom'
  /** For people, such as `openai/gpt-5` or the agent's command. */
  readonly name: string
  /** Its call may change the world by itself (an external agent): a call whose fate is unknown is told to the next. */
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
  readonly wrapUp: boolean
  /** Upper bound of that one reply. */
  readonly wrapUpTokens: number
  readonly policy: string
  /** Null: a run that was recorded before there was a soft tier, or that has none. */
  readonly soft: SoftSettings | null
  readonly verifiers: readonly VerifierDescription[]
}
