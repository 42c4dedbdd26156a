/** Written only by `evolve` (I2), bounded in size however long the run is. */
import type { GoalState } from '../goal/index.ts'
import type {
  AgentFailure,
  EpochMs,
  ToolCall,
  ToolEffect,
  VerificationTrigger,
  ParentRun,
  Finding,
  FactOf,
} from '../events/index.ts'
import type { Activity } from './activity/index.ts'
import type { Budget, Caps, Consumption } from '../budgets/index.ts'
import type { AgentDescription, RunSettings } from '../events/settings/index.ts'
import type { StopTransition } from '../events/transitions/index.ts'
import type { Verdict, VerdictStatus } from '../events/verdicts/index.ts'
import type { Retrying } from './retrying.ts'

interface SubRunsState {
  readonly open: readonly {
    readonly childRunId: string
    readonly allocated: Caps
    readonly subGoalId: string | undefined
    /** It survives the process that announced it; its call waits for it. */
    readonly isElsewhere: boolean
  }[]
  /** Unknown spending of lost sub-runs, counted in full. */
  readonly lost: Partial<Budget>
  readonly started: number
}

/** From the first check started to the last answer. */
interface CheckTime {
  readonly currentMs: number
  readonly maxMs: number
}

export interface CheckState {
  /** Undefined before the baseline run, or if the check reads the answer. */
  readonly baseline: VerdictStatus | undefined
  readonly baselineVerdict: Verdict | undefined
  readonly latest: Verdict | undefined
  /** Consecutive `failed` or `error` verdicts, baseline excluded. */
  readonly failureStreak: number
  /** Consecutive `error` verdicts, baseline excluded. */
  readonly errorStreak: number
}

interface WorkspaceState {
  readonly baseline: string | undefined
  readonly current: string | undefined
  /** Fingerprint right after the latest complete verification, including what the checks wrote. */
  readonly verified: string | undefined
  readonly touched: boolean
}

export interface FinalSummaryState {
  /** Undefined after a resume; then it is decided again. */
  readonly end: StopTransition | undefined
  /** Undefined until the announced call returns. */
  readonly reply: { readonly text: string; readonly problem?: string } | undefined
}

export interface PendingCall {
  readonly call: ToolCall
  /** Undefined until the call is announced. */
  readonly announcedAs: ToolEffect | undefined
}

export type Phase =
  /** Before the first turn, for the baseline. */
  | { readonly kind: 'starting'; readonly baselineDone: boolean }
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'calling'
      readonly attempt: number
      /** The first failure in a row before this call. */
      readonly refusedSinceMs: EpochMs | undefined
    }
  | Retrying
  | { readonly kind: 'agent-failed'; readonly failure: AgentFailure }
  | { readonly kind: 'acting'; readonly pending: readonly PendingCall[] }
  /** The effects of the turn are done; it is judged next. */
  | {
      readonly kind: 'judging'
      readonly observed: boolean
      /** Undefined until the checks of this turn ran. */
      readonly verifiedBy: VerificationTrigger | undefined
    }
  | {
      readonly kind: 'verifying'
      readonly trigger: VerificationTrigger
      readonly awaiting: readonly string[]
    }
  | { readonly kind: 'stopped'; readonly transition: StopTransition; readonly before: LivePhase }

export type LivePhase = Exclude<Phase, { kind: 'stopped' }>

interface TurnTally {
  readonly replies: number
  readonly called: number
  readonly refused: number
  /** A tool or agent that may write was announced. */
  readonly mayHaveChanged: boolean
  /** The agent ended its turn without asking for a tool (lazy tier). */
  readonly claimed: boolean
}

export interface RunState {
  readonly runId: string
  readonly sequence: number
  readonly nowMs: EpochMs
  readonly task: string
  readonly goal: GoalState
  readonly workFolder: string | null
  readonly agent: AgentDescription
  readonly settings: RunSettings
  readonly phase: Phase
  /** The current or last turn; 0 before the first. */
  readonly turn: number
  /** False between `turn-ended` and the next call: every turn gets one transition. */
  readonly turnOpen: boolean
  readonly tally: TurnTally
  /** Successful replies; the position of a scripted agent. */
  readonly replies: number
  readonly consumption: Consumption
  /** Calls of this turn that were not refunded. */
  readonly turnCallsSent: number
  readonly parent: ParentRun | undefined
  readonly subRuns: SubRunsState
  readonly checkTime: CheckTime
  /** Cost of checks such as judges, outside the agent's budget (I8). */
  readonly checksCostUsd: number
  /** Estimate for the next prompt, corrected by every reported usage. */
  readonly promptTokens: number
  readonly checks: Readonly<Record<string, CheckState>>
  readonly workspace: WorkspaceState
  /** Something changed since the latest complete verification. */
  readonly unverifiedWork: boolean
  /** Checks that run last (held-out, probes) ran on the current work. */
  readonly lastChecksAsked: boolean
  /** Consecutive claims on an unchanged workspace. */
  readonly unchangedClaims: number
  /** Consecutive turns with every call refused by the gate or a person. */
  readonly refusedTurns: number
  readonly activity: Activity
  readonly tokenBudget: TokenBudgetState
  readonly finalSummary: FinalSummaryState | undefined
  readonly advice: readonly string[]
  readonly noted: readonly string[]
  readonly lastText: string
  readonly lastReplyFinish: 'stop' | 'tool-calls' | 'length' | 'other' | undefined
  readonly interruptedBy: string | undefined
  readonly agentSession: string | undefined
  /** Consecutive turns with open checks and no new best score. */
  readonly blockedStops: number
  readonly replyCheck: ReplyCheckState | undefined
}

/** A cap, detector or soft verifier. Pure; it can only ask for an end that is not verified. */
export type Rule = (state: RunState) => Finding | undefined

export interface JudgedReply {
  readonly attempt: number
  readonly turn: number
  readonly text: string
  readonly status: VerdictStatus
  readonly reason: string
  readonly canRetry: boolean
  readonly category?: string
  readonly score?: number
}

export interface SettledReply extends Omit<FactOf<'reply-settled'>, 'type'> {
  readonly turn: number
  readonly delivery: Omit<FactOf<'reply-delivered'>, 'type'> | undefined
}

export interface ReplyCheckState {
  readonly retries: number
  /** Since the last answered claim; earlier attempts do not count. */
  readonly exchange: {
    readonly calls: number
    readonly sends: readonly string[]
    readonly streamed: boolean
  }
  readonly latest: { readonly text: string; readonly calls: number; readonly isError: boolean } | undefined
  readonly judged: readonly JudgedReply[]
  readonly settled: SettledReply | undefined
}

export interface TokenBudgetTracker {
  /** How often the agent stopped by itself and was continued. */
  readonly continuations: number
  /** Output tokens between the last two continuations; initially 0. */
  readonly lastDeltaTokens: number
  readonly lastTurnTokens: number
  readonly startedMs: EpochMs
}

export interface TokenBudgetState {
  readonly tracker: TokenBudgetTracker
  /** Output tokens spent before the task was set, or on a final summary. */
  readonly notCountedTokens: number
}

export function newTracker(startedMs: EpochMs): TokenBudgetTracker {
  return { continuations: 0, lastDeltaTokens: 0, lastTurnTokens: 0, startedMs }
}

/** @param turnTokens output tokens of the task so far */
export function countNudge(tracker: TokenBudgetTracker, turnTokens: number): TokenBudgetTracker {
  return {
    continuations: tracker.continuations + 1,
    lastDeltaTokens: turnTokens - tracker.lastTurnTokens,
    lastTurnTokens: turnTokens,
    startedMs: tracker.startedMs,
  }
}

export const noExchange = { calls: 0, sends: [], streamed: false } as const

export const noReplies: ReplyCheckState = {
  retries: 0,
  exchange: noExchange,
  latest: undefined,
  judged: [],
  settled: undefined,
}
