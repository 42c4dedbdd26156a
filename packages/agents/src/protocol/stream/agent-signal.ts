import type { AgentFailure, JsonValue, PlanEntry, ToolEffect } from '@donecheck/core/internal/events'
import type { TokenUsage } from '@donecheck/core/internal/budgets'
import type { Action } from '@donecheck/engine/internal/ports/gate'

export type AgentSignal =
  /** The session's id for resuming, as soon as it is known. May repeat. */
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'text'; readonly piece: string }
  /** The agent's full plan, which replaces the previous one. It is not a claim. */
  | { readonly kind: 'plan'; readonly entries: readonly PlanEntry[] }
  | AgentFinding
  | AgentCall
  | {
      readonly kind: 'call-ended'
      readonly callId: string
      readonly status: 'ok' | 'error' | 'interrupted'
      readonly output: string
    }
  | { readonly kind: 'step'; readonly usage: TokenUsage; readonly costUsd?: number }
  | {
      readonly kind: 'retrying'
      readonly failure: AgentFailure
      readonly waitMs?: number
    }
  | TurnEnded
  /** The agent does not know the session, so the turn restarts in another one. */
  | { readonly kind: 'session-lost'; readonly message: string }

export interface AgentFinding {
  readonly kind: 'finding'
  readonly rule: string
  readonly message: string
}

export interface LookedAt {
  readonly summary?: string
  /** What the gate decides on, if known. Only for calls that are asked about. */
  readonly action?: Action
  /** For the approving person; usually a diff. */
  readonly preview?: string
  /** Why it must not run, whatever a gate says: it would change the agent's guard. Only for asked calls. */
  readonly refusal?: string
}

export interface AgentCall extends LookedAt {
  readonly kind: 'call'
  readonly callId: string
  readonly tool: string
  readonly args: JsonValue
  readonly effect: ToolEffect
  /** Inspects other arguments. Absent: a call with an action accepts no others. */
  readonly look?: (args: JsonValue) => Promise<LookedAt>
  /** Set if the agent waits for this answer. It may wait for nothing but the agent. */
  readonly answer?: (answer: CallAnswer) => Promise<void>
  /** The agent sees only the refusal; the next prompt gives the reason. Only for asked calls. */
  readonly hearsReason?: false
  /** A yes defers to the agent's own permissions, which may ask again. Only for asked calls. */
  readonly hasOwnPermissions?: true
  /** Its reply `follows` at once, or was `told` before; absent if unknown. */
  readonly step?: 'follows' | 'told'
  /** Other calls precede its end (a sub-agent), so it is reported then. */
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
  /** The agent's last message; empty means the text of its last reply. */
  readonly text: string
  readonly usage?: TokenUsage
  readonly costUsd?: number
  /** What went wrong, in one sentence; then it is not a claim. */
  readonly problem?: string
  readonly wasCutOff?: true
  /** The turn did not end normally: provider, network or account. */
  readonly failure?: AgentFailure
}

export interface TurnStart {
  readonly prompt: string
  readonly session: string | undefined
  /** Unique per turn of a run, and stable for a turn that is repeated after a crash. */
  readonly key: string
}

export interface AgentTurn {
  /** Read one at a time and only on demand, so the producer may block the agent. */
  readonly signals: AsyncIterable<AgentSignal>
  /** Ends what still runs. Called after every turn, possibly twice; never rejects. */
  end(): Promise<void>
}
