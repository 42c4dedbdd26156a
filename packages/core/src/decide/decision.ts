/** What to do next, as data. Only `run/` performs it. */
import type { GoalChange, Waiting } from '../goal/index.ts'
import type { ContinueTransition, StopTransition } from '../events/transitions/index.ts'
import type { EpochMs, Finding, VerificationTrigger, FactOf } from '../events/index.ts'
import type { ProviderWait } from './turn-end/stop-candidates.ts'
import type { Aggregator } from './aggregate/index.ts'
import type { Prompts } from './prompts/index.ts'
import type { Rule } from '../state/index.ts'

export type Decision =
  | { readonly kind: 'observe' }
  | {
      readonly kind: 'verify'
      readonly trigger: VerificationTrigger
      readonly verifiers: readonly string[]
    }
  | {
      readonly kind: 'call-model'
      readonly turn: number
      readonly attempt: number
      readonly maxOutputTokens: number
      /** When to abort the effect; null without a wall-clock cap. */
      readonly deadlineMs: EpochMs | null
    }
  | {
      readonly kind: 'run-tools'
      readonly callIds: readonly string[]
      readonly deadlineMs: EpochMs | null
    }
  | {
      readonly kind: 'refuse-tools'
      readonly by: 'cap' | 'detector'
      readonly callIds: readonly string[]
      readonly reason: string
    }
  | { readonly kind: 'note'; readonly finding: Finding }
  /** Ends the turn and continues. The feedback is the next message to the agent. */
  | { readonly kind: 'continue'; readonly transition: ContinueTransition; readonly feedback?: string }
  /** Asks the agent once, without tools, for a summary, then stops with that end whatever it replies. */
  | {
      readonly kind: 'final-summary'
      readonly end: StopTransition
      /** The last message to the agent. It is not added to the conversation. */
      readonly notice: string
      readonly maxOutputTokens: number
      readonly deadlineMs: EpochMs
    }
  | { readonly kind: 'judge-reply'; readonly attempt: number; readonly maxAttempts: number }
  /** Records the decision on the reply, then delivers it if `delivers` is set. */
  | { readonly kind: 'settle-reply'; readonly settled: Omit<FactOf<'reply-settled'>, 'type'> }
  | { readonly kind: 'stop'; readonly transition: StopTransition }
  | ({ readonly kind: 'await' } & Waiting)
  | { readonly kind: 'change-goal'; readonly change: GoalChange }
  /** An announced effect has not returned. Happens only if the host owns the loop. */
  | { readonly kind: 'wait'; readonly on: 'model' | 'tools' }
  /** Waits for the provider, or for a limit to reset, before repeating the call. */
  | ({ readonly kind: 'wait'; readonly on: 'provider' } & ProviderWait)

/** The functions that judge a run. They are rebuilt on resume, so all that they read is in the state. */
export interface Judgement {
  readonly rules: readonly Rule[]
  readonly aggregate: Aggregator
  readonly prompts: Prompts
  /** The user already works with the agent, so an undecidable check does not block before turn 1. */
  readonly hostOwnsLoop?: true
}
