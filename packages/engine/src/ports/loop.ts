/**
 * Interfaces that the loop needs. `testing/contracts/` has a contract suite for each.
 * Expected failures are data, never thrown; `loop/run/` converts the rest (I6, I7).
 */
import type { Consumption, TokenUsage, Caps, CapName } from '@donecheck/core/internal/budgets'
import type { Conversation } from '@donecheck/core/internal/state'
import type { GoalView } from '@donecheck/core/internal/decide/prompts'
import type { AgentDescription } from '@donecheck/core/internal/events/settings'
import type {
  AgentFailure,
  EpochMs,
  FinishKind,
  JsonValue,
  ParentRun,
  PlanEntry,
  ToolEffect,
  SandboxDescription,
} from '@donecheck/core/internal/events'
import type { Outcome } from '@donecheck/core/internal/events/transitions'
import type { RefusalLabel } from '@donecheck/core/internal/events/gate'
import type { SecretValues } from '@donecheck/core/internal/secrets'
import type { Action } from './gate.ts'
import type { Store } from './store.ts'

export interface Clock {
  nowMs(): EpochMs
  /** Resolves after that time or when the signal aborts; never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export interface Ids {
  /** A new unique name that sorts after earlier ones. */
  next(): string
}

export interface ToolDescription {
  readonly name: string
  readonly description: string
  /** JSON Schema. */
  readonly parameters: JsonValue
}

export interface AgentRequest {
  readonly runId: string
  readonly turn: number
  readonly attempt: number
  /** Successful replies before this one. */
  readonly replies: number
  readonly conversation: Conversation
  /** Current goal, for an agent with goals of its own, if known. */
  readonly goal?: GoalView
  readonly tools: readonly ToolDescription[]
  readonly maxOutputTokens: number
  /** Receives text chunks. */
  readonly onText: (piece: string) => void
  /** The agent's own session id recorded for this run, by any process. */
  readonly session?: string
  /** Call it as soon as the agent reports its session, so a crash can resume it. */
  readonly onSession?: (sessionId: string) => void
  /** Receives the agent's full plan when it changes. The latest is recorded with the answer. */
  readonly onPlan?: (plan: readonly PlanEntry[]) => void
  /** Receives what blocks the agent, before the answer: its report of this turn. */
  readonly onBlocker?: (blocker: string) => void
  /** Receives warnings about the agent, before the answer; recorded once per message. */
  readonly onFinding?: (finding: { readonly rule: string; readonly message: string }) => void
}

export interface ProposedCall {
  readonly callId: string
  readonly tool: string
  readonly args: JsonValue
  readonly malformed?: string
}

export type AgentResponse =
  | {
      readonly kind: 'replied'
      readonly text: string
      readonly toolCalls: readonly ProposedCall[]
      readonly finish: FinishKind
      /** Null if unknown. */
      readonly usage: TokenUsage | null
      /** Cost reported by the agent; otherwise estimated from known prices. */
      readonly costUsd?: number
      /** A problem to tell in the next turn; this turn counts. */
      readonly problem?: string
    }
  | { readonly kind: 'failed'; readonly failure: AgentFailure; readonly usage: TokenUsage | null }

export interface Agent {
  readonly description: AgentDescription
  /** Proposes one step. On abort it stops all work and answers `failed` with kind `interrupted`. */
  next(request: AgentRequest, signal: AbortSignal): Promise<AgentResponse>
  /** For agents with their own tools. */
  readonly own?: OwnTools
  /** Frees what it holds between steps, such as a process. Called after each run; it may be used again. */
  close?(): Promise<void>
}

/** Tools that the agent itself runs. Each observed call is proposed; its `run` waits for the result. */
export interface OwnTools {
  /** Sandbox of the agent's own tool calls, if any. */
  readonly sandbox?: Pick<SandboxDescription, 'isConfined'>
  /** Absolute paths of the agent's permission settings, which its commands must not write. */
  readonly untouched?: readonly string[]
  /** @returns undefined for an unknown call. Calls `prepare` once */
  toolOf(callId: string): OwnTool | undefined
  /** Stops the call, or the whole turn if the agent cannot be told. */
  refuse(callId: string, reason: string): Promise<void>
  /** Stops all work of the agent on the tree. Never rejects. */
  cancel(): Promise<void>
}

export interface OwnTool extends Tool {
  /** The agent waits for a decision. False: it already runs. */
  readonly isAsked: boolean
  /** Only if asked: a yes defers to the agent's own permissions. */
  readonly hasOwnPermissions?: true
}

export interface ToolOutcome {
  readonly status: 'ok' | 'error' | 'interrupted'
  readonly output: string
  /** False: nothing changed although it should have. Absent if unknown. */
  readonly changed?: boolean
}

export type PreparedCall =
  | {
      readonly kind: 'ready'
      /** One line, such as `write src/a.ts (12 lines)`. */
      readonly summary: string
      /** Change for a person to approve, usually a diff. */
      readonly preview?: string
      /** Present if the gate can know more than the effect. */
      readonly action?: Action
      /** @param context absent outside a run */
      run(signal: AbortSignal, context?: ToolContext): Promise<ToolOutcome>
    }
  | ConductedCall
  /** Arguments are wrong or out of bounds; the reason goes to the agent. */
  | { readonly kind: 'invalid'; readonly reason: string; readonly label?: RefusalLabel }

/** A call done by sub-runs elsewhere. A resumed run prepares it again from the same arguments. */
export interface ConductedCall {
  readonly kind: 'sub-runs'
  /** As in a ready call, like `preview` and `action`. */
  readonly summary: string
  readonly preview?: string
  readonly action?: Action
  /** One per sub-run; unlimited resources are split equally. All start, or none. */
  readonly shares: readonly SubRunShare[]
  /** Hands over that sub-run and returns its state. Idempotent across processes: the grant's id names it. */
  conduct(grant: SubRunGrant, index: number): Promise<ConductedState>
  /** Asks that sub-run to end soon. */
  interrupt(childRunId: string, by: string): Promise<void>
  /** Result for the agent when all have ended. May run twice after a crash, so keep it idempotent. */
  report(ended: readonly EndedSubRun[]): Promise<ToolOutcome>
}

export type ConductedState =
  | { readonly kind: 'at-work' }
  /** Nothing will continue it. `message` says how it ended if its record does not. */
  | { readonly kind: 'over'; readonly message: string }

/** Lets a tool pass on part of its run's budget. Valid during the call. */
export interface ToolContext {
  readonly runId: string
  readonly callId: string
  /** The gate allows this call outside the sandbox. */
  readonly outsideSandbox?: true
  /** The call was approved. */
  readonly isApproved?: true
  /** Receives output while the call runs. */
  readonly onOutput?: (piece: string) => void
  /** Largest budget for a sub-run now; excludes what this run needs for its next step. */
  budgetLeft(): Caps
  /**
   * Reserves a budget for a sub-run, books what it spends and returns the rest. Rejects if the call is over
   * or another process holds the run.
   */
  subRun(request: SubRunRequest): Promise<SubRunResult>
}

export interface SubRunShare {
  /** Absent or null limits take all that remains. */
  readonly atMost?: Partial<Caps>
  /** Sub-goal it works on, which is charged and limits it. */
  readonly subGoalId?: string
}

export interface SubRunRequest extends SubRunShare {
  /** Does the work within the grant. If it throws, its record says what was spent. */
  work(grant: SubRunGrant): Promise<SubRunEnd>
}

export interface SubRunGrant {
  /** Required id of the sub-run. */
  readonly runId: string
  readonly parent: ParentRun
  readonly caps: Caps
  /** Required store of its record, so spending survives a crash. */
  readonly store: Store
  /** Secrets to mask in its record too. */
  readonly secrets: SecretValues
}

export interface SubRunEnd {
  /** Null if unknown: then the full reservation counts. */
  readonly spent: Consumption | null
  readonly outcome: Outcome | null
  readonly message: string
}

export interface EndedSubRun {
  readonly runId: string
  readonly end: SubRunEnd
}

export type SubRunResult =
  | ({ readonly kind: 'ended' } & EndedSubRun)
  | { readonly kind: 'too-little'; readonly cap: CapName; readonly message: string }
  /** The sub-goal is unknown or closed. */
  | { readonly kind: 'no-such-part'; readonly message: string }

export interface Tool extends ToolDescription {
  readonly effect: ToolEffect
  /** Sandbox of its commands; absent if it runs none. */
  readonly sandbox?: SandboxDescription
  /** Checks the arguments and previews the effect without causing it. */
  prepare(args: JsonValue): Promise<PreparedCall>
}

export interface FingerprintOptions {
  /** Globs to ignore; `*.md` matches in any folder. */
  readonly except?: readonly string[]
}

export interface Workspace {
  readonly folder: string
  /** Equal if and only if the work tree's content is equal. */
  fingerprint(signal: AbortSignal, options?: FingerprintOptions): Promise<string>
  /** Changes when a file outside the fingerprint is written. Absent if unsupported. */
  ignoredStamp?(signal: AbortSignal): Promise<string>
}
