/**
 * The doors to the world, each as small as the loop's need for it. Their implementations are named in
 * ARCHITECTURE.md; contract suites for them stand in `testing/contracts/`. No implementation may throw for an expected failure:
 * failures are data. What it throws all the same is turned into data in `loop/run/` (I6, I7).
 */
import type { Consumption, TokenUsage, Caps, CapName } from '@donecheck/core/internal/budgets'
import type { Conversation } from '@donecheck/core/internal/state'
import type { GoalView } from '@donecheck/core/internal/decide/prompts'
import type { DriveDescription } from '@donecheck/core/internal/events/settings'
import type {
  DriveFailure,
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
  /** Resolves after that time, or at once when the signal aborts; never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export interface Ids {
  /** A new unique name; later names sort after earlier ones. */
  next(): string
}

export interface ToolDescription {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly parameters: JsonValue
}

export interface DriveRequest {
  readonly runId: string
  readonly turn: number
  readonly attempt: number
  /** Successful replies before this one. */
  readonly replies: number
  readonly conversation: Conversation
  /** What is wanted now, for a drive that keeps a goal of its own; the conversation says the same. Absent: nobody has said. */
  readonly goal?: GoalView
  readonly tools: readonly ToolDescription[]
  readonly maxOutputTokens: number
  /** To be called with pieces of text as they come in. */
  readonly onText: (piece: string) => void
  /** The name that the agent's own session was recorded under, in this process or before it. */
  readonly session?: string
  /** To be called as soon as the agent has told the name of its session: after a crash it is gone on with. */
  readonly onSession?: (sessionId: string) => void
  /** To be called with the whole plan that the agent has told of its work, where it is another one. The latest is recorded with the answer. */
  readonly onPlan?: (plan: readonly PlanEntry[]) => void
  /** To be called with what the agent says stands in its way, before the answer: it counts as its report of this turn. */
  readonly onBlocker?: (blocker: string) => void
  /** To be called with what the record has to say of the agent itself, before the answer: it is recorded as a warning, each message once. */
  readonly onFinding?: (finding: { readonly rule: string; readonly message: string }) => void
}

export interface ProposedCall {
  readonly callId: string
  readonly tool: string
  readonly args: JsonValue
  /** Why the arguments could not be read; then `args` is the raw text. */
  readonly malformed?: string
}

export type DriveAnswer =
  | {
      readonly kind: 'replied'
      readonly text: string
      readonly toolCalls: readonly ProposedCall[]
      readonly finish: FinishKind
      /** Null: nobody knows. */
      readonly usage: TokenUsage | null
      /** What it has cost, as the drive says; absent: it is estimated from the prices, where they are known. */
      readonly costUsd?: number
      /** Something went wrong that the next turn should know; the turn counts all the same. */
      readonly problem?: string
    }
  | { readonly kind: 'failed'; readonly failure: DriveFailure; readonly usage: TokenUsage | null }

export interface Drive {
  readonly description: DriveDescription
  /** Proposes one step. On abort it ends its work, children included, and answers `failed` with kind `interrupted`. */
  next(request: DriveRequest, signal: AbortSignal): Promise<DriveAnswer>
  /** Of a drive that brings its own tools. */
  readonly own?: OwnTools
  /** Ends what it keeps between the steps of a run, such as a process. Called when a run of it is over; it may be used again. */
  close?(): Promise<void>
}

/**
 * The tools of an agent that runs them itself. A call is proposed where it is seen, and `run` of its tool waits for what
 * became of it.
 */
export interface OwnTools {
  /** Within what the agent itself runs what we allow. Absent: within nothing. */
  readonly sandbox?: Pick<SandboxDescription, 'isConfined'>
  /** Absolute: the settings by which the agent asks. No command that it runs may write to them; its own tools are kept from them by the drive. */
  readonly untouched?: readonly string[]
  /** Undefined: the drive has proposed no such call. Its `prepare` is asked once. */
  toolOf(callId: string): OwnTool | undefined
  /** The call must not run, or not go on; where the agent cannot be told, its turn is broken off. */
  refuse(callId: string, reason: string): Promise<void>
  /** Breaks off what is still going on: nothing of the agent works on the tree afterwards. Never rejects. */
  cancel(): Promise<void>
}

export interface OwnTool extends Tool {
  /** The agent waits for an answer before it runs the call. False: it runs already, and nobody needs to be asked. */
  readonly isAsked: boolean
  /** Only of a call that is asked: a yes leaves it to the agent's own permissions, as the gate is told. */
  readonly hasOwnPermissions?: true
}

export interface ToolOutcome {
  readonly status: 'ok' | 'error' | 'interrupted'
  /** For the drive to read. */
  readonly output: string
  /** False: it was to change something, and everything is as it was. Absent: nobody has looked. */
  readonly changed?: boolean
}

export type PreparedCall =
  | {
      readonly kind: 'ready'
      /** One line, such as `write src/a.ts (12 lines)`. */
      readonly summary: string
      /** What would change, for a person who has to decide. Usually a diff. */
      readonly preview?: string
      /** What it is about to do, where the gate can know more than the tool's effect. */
      readonly action?: Action
      /** @param context absent where it is run outside of a run */
      run(signal: AbortSignal, context?: ToolContext): Promise<ToolOutcome>
    }
  | ConductedCall
  /** The arguments are wrong or reach out of bounds; the reason is for the drive. */
  | { readonly kind: 'invalid'; readonly reason: string; readonly label?: RefusalLabel }

/**
 * A call whose work is done by sub-runs that somebody else conducts. It waits for them, and is picked up by whoever goes on with
 * the run: then it is prepared once more, from the same arguments.
 */
export interface ConductedCall {
  readonly kind: 'sub-runs'
  /** The same as in a call that is ready; this also holds for `preview` and `action`. */
  readonly summary: string
  readonly preview?: string
  readonly action?: Action
  /** One for each sub-run; what none of them bounds is shared equally. All begin, or none. */
  readonly shares: readonly SubRunShare[]
  /**
   * Hands the sub-run of that share over to whoever conducts it, and tells how far it is. Asked again, also by another process,
   * it hands nothing over twice: the id of the grant names the sub-run.
   */
  conduct(grant: SubRunGrant, index: number): Promise<ConductedState>
  /** That sub-run is to end: soon it is over. */
  interrupt(childRunId: string, by: string): Promise<void>
  /** What the drive is told when all of them are over. Asked once more after a crash: what it does must be the same done twice. */
  report(ended: readonly EndedSubRun[]): Promise<ToolOutcome>
}

export type ConductedState =
  | { readonly kind: 'at-work' }
  /** Nobody will go on with it. @property message how it ended, where its record does not say */
  | { readonly kind: 'over'; readonly message: string }

/** What a tool may do to the run that calls it: hand a part of its budget on. It ends with the call. */
export interface ToolContext {
  readonly runId: string
  readonly callId: string
  /** The gate has allowed this call to run outside of the sandbox. */
  readonly outsideSandbox?: true
  /** Whoever is asked has said yes to it. */
  readonly isApproved?: true
  /** To be called with what it prints while it runs. Absent: nobody looks on. */
  readonly onOutput?: (piece: string) => void
  /** What a sub-run could have now at most; what this run needs for its own next step is kept back. */
  budgetLeft(): Caps
  /**
   * Carves a budget, lets a sub-run have it, and books what it has spent; the rest is given back. Rejects when the call is
   * over, or the run is held by somebody else.
   */
  subRun(request: SubRunRequest): Promise<SubRunResult>
}

export interface SubRunShare {
  /** An absent bound, or null, takes all that is left. */
  readonly atMost?: Partial<Caps>
  /** The part of the goal that it works at: it is charged to that one, and bound by its budget. */
  readonly subGoalId?: string
}

export interface SubRunRequest extends SubRunShare {
  /** Does the work within the grant. What it throws counts as not ended: its record says what it has spent. */
  work(grant: SubRunGrant): Promise<SubRunEnd>
}

export interface SubRunGrant {
  /** The id that the sub-run must have. */
  readonly runId: string
  readonly parent: ParentRun
  readonly caps: Caps
  /** Where its record must be kept, so that its spending is known after a crash. */
  readonly store: Store
  /** What must be masked in its record as well: its task and its work may hold them. */
  readonly secrets: SecretValues
}

export interface SubRunEnd {
  /** Null: nobody knows, so all that was carved counts. */
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
  /** The goal has no such part, or it is closed. */
  | { readonly kind: 'no-such-part'; readonly message: string }

export interface Tool extends ToolDescription {
  readonly effect: ToolEffect
  /** Within what it runs commands; absent: it runs none. */
  readonly sandbox?: SandboxDescription
  /** Checks the arguments and looks at what they would do, without doing it. */
  prepare(args: JsonValue): Promise<PreparedCall>
}

export interface FingerprintOptions {
  /** Globs, also of names in any folder (`*.md`), that do not count. */
  readonly except?: readonly string[]
}

export interface Workspace {
  readonly folder: string
  /** Equal for equal content of the work tree, different for different content. */
  fingerprint(signal: AbortSignal, options?: FingerprintOptions): Promise<string>
  /** Another one as soon as a file that the fingerprint leaves out was written. Absent: there are none, or nobody looks. */
  ignoredStamp?(signal: AbortSignal): Promise<string>
}
