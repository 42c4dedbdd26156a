import type { DriveFailure, JsonValue, PlanEntry, ToolEffect } from '@donecheck/core/internal/events'
import type { TokenUsage } from '@donecheck/core/internal/budgets'
import type { Action } from '@donecheck/engine/internal/ports/gate'

export type AgentSignal =
  /** The name under which the session can be gone on with, as soon as it is known; told again it does no harm. */
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'text'; readonly piece: string }
  /** The plan that the agent tells of its work, all of it: it replaces the one before. No claim, whatever it says. */
  | { readonly kind: 'plan'; readonly entries: readonly PlanEntry[] }
  | AgentFinding
  | AgentCall
  | {
      readonly kind: 'call-ended'
      readonly callId: string
      /** `interrupted`: nobody knows what it would have said. */
      readonly status: 'ok' | 'error' | 'interrupted'
      readonly output: string
    }
  | { readonly kind: 'step'; readonly usage: TokenUsage; readonly costUsd?: number }
  | {
      readonly kind: 'retrying'
      readonly failure: DriveFailure
      readonly waitMs?: number
    }
  | TurnEnded
  /** The agent does not know the session that it was to go on with: the turn begins anew in another one. */
  | { readonly kind: 'session-lost'; readonly message: string }

export interface AgentFinding {
  readonly kind: 'finding'
  readonly rule: string
  readonly message: string
}

export interface LookedAt {
  readonly summary?: string
  /** What it is about to do, where that can be told: the gate decides by it. Only looked at in calls that are asked. */
  readonly action?: Action
  /** For a person who must decide; usually a diff. */
  readonly preview?: string
  /** It must not run, whatever a gate says: it would change what watches over the agent. Only of calls that are asked. */
  readonly refusal?: string
}

export interface AgentCall extends LookedAt {
  readonly kind: 'call'
  readonly callId: string
  readonly tool: string
  readonly args: JsonValue
  readonly effect: ToolEffect
  /** Looks anew, for other arguments. Absent: a call with an action does not take others. */
  readonly look?: (args: JsonValue) => Promise<LookedAt>
  /** Present: the agent waits for this answer before it runs the call. It must not wait for anything but the agent itself. */
  readonly answer?: (answer: CallAnswer) => Promise<void>
  /** False: the agent learns that it may not, but not why; the next prompt says it. Only of calls that are asked. */
  readonly hearsReason?: false
  /** A yes leaves it to the agent's own permissions; where they would ask a person, it comes again. Only of calls that are asked. */
  readonly hasOwnPermissions?: true
  /** Of the reply that it belongs to: it `follows` at once, or was `told` before. Default: nobody can say. */
  readonly step?: 'follows' | 'told'
  /** Other calls come before it ends (a sub-agent): it is told of with its end, so that theirs are seen while they run. */
  readonly holdsOthers?: true
}

export type CallAnswer =
  | {
      readonly allowed: true
      readonly args: JsonValue
      readonly isApproved?: true
    }
  | { readonly allowed: false; readonly reason: string }

export interface TurnEnded {
  readonly kind: 'turn-ended'
  /** The agent's last words. Empty: the pieces of its last reply. */
  readonly text: string
  readonly usage?: TokenUsage
  readonly costUsd?: number
  /** What was wrong with the turn, in one sentence; then it is not a claim. */
  readonly problem?: string
  readonly wasCutOff?: true
  /** The turn did not come to an end that a model made: the provider, the network, the account. */
  readonly failure?: DriveFailure
}

export interface TurnStart {
  readonly prompt: string
  /** Undefined: begin a new one. */
  readonly session: string | undefined
  /** Differs for each turn that is begun in a run, before and after a crash; the same for the same place in it. */
  readonly key: string
}

export interface AgentTurn {
  /** In their order. Read one by one, and only while somebody waits: whoever makes them may hold the agent back. */
  readonly signals: AsyncIterable<AgentSignal>
  /** Ends what is still at work of this turn. Called after every turn; never rejects, and may be called again. */
  end(): Promise<void>
}
