/** What to do next, as data: an imperative, performed by `run/` and by nobody else. */
import type { GoalChange, Waiting } from '../goal/index.ts'
import type { ContinueTransition, StopTransition } from '../events/transitions/index.ts'
import type { EpochMs, Finding, VerificationTrigger, FactOf } from '../events/index.ts'
import type { ProviderWait } from './turn-end/stop-candidates.ts'
import type { Policy } from './policies/index.ts'
import type { Prompts } from './prompts/index.ts'
import type { Rule } from '../state/index.ts'

export type Decision =
  /** Take the fingerprint of the workspace. */
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
      /** What the caps leave for the reply. */
      readonly maxOutputTokens: number
      /** Abort the effect then. Null: no wall-clock cap. */
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
  /** End the turn and go on; the feedback is the next message to the drive. */
  | { readonly kind: 'continue'; readonly transition: ContinueTransition; readonly feedback?: string }
  /** Ask the drive once, without tools, what is done and what is left; then stop with that end, whatever it answers. */
  | {
      readonly kind: 'final-summary'
      readonly end: StopTransition
      /** The last that it is told. It stays out of the conversation. */
      readonly notice: string
      readonly maxOutputTokens: number
      readonly deadlineMs: EpochMs
    }
  /** Ask the judge of replies about the latest one. */
  | { readonly kind: 'judge-reply'; readonly attempt: number; readonly maxAttempts: number }
  /** Record what becomes of the reply, then hand it on where it is to be delivered. */
  | { readonly kind: 'settle-reply'; readonly settled: Omit<FactOf<'reply-settled'>, 'type'> }
  | { readonly kind: 'stop'; readonly transition: StopTransition }
  /** Begin nothing until what the goal waits for is over, it expires, or the goal is changed. */
  | ({ readonly kind: 'await' } & Waiting)
  /** Record what the run found out about its own goal. */
  | { readonly kind: 'change-goal'; readonly change: GoalChange }
  /** An announced effect has not come back: only a host that owns the loop meets this. */
  | { readonly kind: 'wait'; readonly on: 'model' | 'tools' }
  /** Wait for the provider, or for the reset of a limit, before the call is made again. */
  | ({ readonly kind: 'wait'; readonly on: 'provider' } & ProviderWait)

/** What a run is judged by. Functions, so they are chosen anew on resume; all that they look at is in the state. */
export interface Judgement {
  /** Hard caps, detectors, soft verifiers. */
  readonly rules: readonly Rule[]
  readonly policy: Policy
  /** Words of the program to the drive. */
  readonly prompts: Prompts
  /** Its user is at work already: a check that cannot be answered ends nothing before the first turn. */
  readonly hostOwnsLoop?: true
}
