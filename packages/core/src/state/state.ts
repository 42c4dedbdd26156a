/** What we remember of a run: made only by `evolve` (invariant I2), bounded in size however long the run is. */
import type { GoalState } from '../goal/index.ts'
import type {
  DriveFailure,
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
import type { DriveDescription, RunSettings } from '../events/settings/index.ts'
import type { StopTransition } from '../events/transitions/index.ts'
import type { Verdict, VerdictStatus } from '../events/verdicts/index.ts'
import type { Retrying } from './retrying.ts'

/** Budget that is in the hands of sub-runs. */
interface SubRunsState {
  readonly open: readonly {
    readonly childRunId: string
    readonly carved: Caps
    /** Undefined: no part of the goal was named. */
    readonly subGoalId: string | undefined
    /** It goes on without the process that announced it: its call waits for it. */
    readonly isElsewhere: boolean
  }[]
  /** Carved for sub-runs whose spending nobody knows: it counts as spent. */
  readonly lost: Partial<Budget>
  readonly started: number
}

/** Time that the checks took, from the first to be asked to the last answer. */
interface CheckTime {
  /** Of the verification in progress, or of the last one. */
  readonly currentMs: number
  readonly maxMs: number
}

/** What is known of one verifier. */
export interface CheckState {
  /** Its status on the baseline tree; undefined before that was looked at, or where it reads the answer. */
  readonly baseline: VerdictStatus | undefined
  /** All that was said on the baseline tree. */
  readonly baselineVerdict: Verdict | undefined
  readonly latest: Verdict | undefined
  /** Verdicts in a row that were `failed` or `error`, the baseline left out. */
  readonly failureStreak: number
  /** Verdicts in a row that were `error`, the baseline left out. */
  readonly errorStreak: number
}

interface WorkspaceState {
  /** Fingerprint of the baseline tree. */
  readonly baseline: string | undefined
  readonly current: string | undefined
  /** Fingerprint right after the latest complete verification: what the checks themselves write is part of it. */
  readonly verified: string | undefined
  /** The tree was found changed while only the drive had been at work. */
  readonly touched: boolean
}

/** What is known of the final summary since the drive was last asked for a turn. */
export interface FinalSummaryState {
  /** The end that was decided before the call; undefined after a resume: then it is decided anew. */
  readonly end: StopTransition | undefined
  /** Undefined: announced, and not answered yet. */
  readonly reply: { readonly text: string; readonly problem?: string } | undefined
}

export interface PendingCall {
  readonly call: ToolCall
  /** Undefined until the call is announced; then what may happen when it is run twice. */
  readonly announcedAs: ToolEffect | undefined
}

export type Phase =
  /** Before the first turn: the baseline tree is looked at. */
  | { readonly kind: 'starting'; readonly baselineDone: boolean }
  /** Between turns. */
  | { readonly kind: 'idle' }
  /** A model call is announced and has not come back. */
  | {
      readonly kind: 'calling'
      readonly attempt: number
      /** Time of the first of the failures in a row before this call. */
      readonly refusedSinceMs: EpochMs | undefined
    }
  /** A model call failed in a way that may pass. */
  | Retrying
  /** A model call failed for good. */
  | { readonly kind: 'drive-failed'; readonly failure: DriveFailure }
  /** Tool calls were proposed; those not yet returned or refused. */
  | { readonly kind: 'acting'; readonly pending: readonly PendingCall[] }
  /** The turn's effects are done; it is to be looked at and judged. */
  | {
      readonly kind: 'judging'
      readonly observed: boolean
      /** What the checks of this turn were run for; undefined while they were not. */
      readonly verifiedBy: VerificationTrigger | undefined
    }
  | {
      readonly kind: 'verifying'
      readonly trigger: VerificationTrigger
      readonly awaiting: readonly string[]
    }
  | { readonly kind: 'stopped'; readonly transition: StopTransition; readonly before: LivePhase }

export type LivePhase = Exclude<Phase, { kind: 'stopped' }>

/** Counts of the turn in progress, or of the last one. */
interface TurnTally {
  /** Of the drive. */
  readonly replies: number
  readonly called: number
  readonly refused: number
  /** A tool that may write was announced, or the drive itself may write. */
  readonly mayHaveChanged: boolean
  /** The drive ended its turn by itself, without asking for a tool: the lazy tier. */
  readonly claimed: boolean
}

export interface RunState {
  readonly runId: string
  /** Of the latest event. */
  readonly sequence: number
  readonly nowMs: EpochMs
  readonly task: string
  /** What is wanted, beyond its words. */
  readonly goal: GoalState
  readonly workFolder: string | null
  readonly drive: DriveDescription
  readonly settings: RunSettings
  readonly phase: Phase
  /** Number of the turn in progress or last ended; 0 before the first. */
  readonly turn: number
  /** False between `turn-ended` and the next call: every turn gets one transition. */
  readonly turnOpen: boolean
  readonly tally: TurnTally
  /** Successful replies so far: the place of a scripted drive in its script. */
  readonly replies: number
  readonly consumption: Consumption
  /** Model calls of this turn that were not given back. */
  readonly turnCallsSent: number
  /** Undefined where this run is not a part of another. */
  readonly parent: ParentRun | undefined
  readonly subRuns: SubRunsState
  readonly checkTime: CheckTime
  /** What checks such as judges have cost; no part of what the drive may spend (I8). */
  readonly checksCostUsd: number
  /** What the next prompt may cost, rebased on every real usage. */
  readonly promptTokens: number
  readonly checks: Readonly<Record<string, CheckState>>
  readonly workspace: WorkspaceState
  /** Something was done since the latest complete verification. */
  readonly unverifiedWork: boolean
  /** What runs at the end only (held-out checks, probes) has spoken of the work as it stands now. */
  readonly lastChecksAsked: boolean
  /** Claims in a row without any change of the workspace between them. */
  readonly unchangedClaims: number
  /** Turns in a row in which every proposed call was refused by the gate or by a person. */
  readonly refusedTurns: number
  /** What the rules of the soft tier look at. */
  readonly activity: Activity
  readonly tokenBudget: TokenBudgetState
  /** Undefined: nobody has asked for a summary since the last turn. */
  readonly finalSummary: FinalSummaryState | undefined
  /** What the drive is told at the end of this turn, beside the verdicts. */
  readonly advice: readonly string[]
  /** Keys of findings that are told once. */
  readonly noted: readonly string[]
  /** Latest text of the drive that was not empty. */
  readonly lastText: string
  readonly lastReplyFinish: 'stop' | 'tool-calls' | 'length' | 'other' | undefined
  readonly interruptedBy: string | undefined
  /** Under what name the agent's own session can be gone on with; undefined: it has told none. */
  readonly agentSession: string | undefined
  /** Turns in a row, up to the last one, that ended with open checks and no better score than ever. */
  readonly blockedStops: number
  /** Undefined: replies are not verified. */
  readonly replyCheck: ReplyCheckState | undefined
}

/**
 * Caps, detectors and soft verifiers are all rules. A rule is pure, keeps nothing between calls (what it needs is in the
 * state) and can only ask for an end that is not verified.
 */
export type Rule = (state: RunState) => Finding | undefined

/** A reply with what the judge said of it. */
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
  /** Undefined: it is not to be delivered, or is being delivered. */
  readonly delivery: Omit<FactOf<'reply-delivered'>, 'type'> | undefined
}

/** What is known of the replies of a run. */
export interface ReplyCheckState {
  /** Replies that were sent back. */
  readonly retries: number
  /** What the drive did since its last claim was answered: nothing of an earlier attempt counts. */
  readonly exchange: {
    readonly calls: number
    /** Ids of the calls that sent a message, or may have. */
    readonly sends: readonly string[]
    readonly streamed: boolean
  }
  /** The latest of the drive, empty or not. */
  readonly latest: { readonly text: string; readonly calls: number; readonly isError: boolean } | undefined
  readonly judged: readonly JudgedReply[]
  readonly settled: SettledReply | undefined
}

export interface TokenBudgetTracker {
  /** How often the drive ended its turn by itself and was sent on. */
  readonly continuations: number
  /** Output tokens between the last two continuations; 0 before there were any. */
  readonly lastDeltaTokens: number
  /** Output tokens of the task up to the last continuation. */
  readonly lastTurnTokens: number
  /** When the task was set. */
  readonly startedMs: EpochMs
}

/** The tracker with the point that it counts from. */
export interface TokenBudgetState {
  readonly tracker: TokenBudgetTracker
  /** Output tokens that are none of this task's: spent before it was set, or on a final summary. */
  readonly notCountedTokens: number
}

export function newTracker(startedMs: EpochMs): TokenBudgetTracker {
  return { continuations: 0, lastDeltaTokens: 0, lastTurnTokens: 0, startedMs }
}

/** @param turnTokens output tokens of the task so far, all its rounds together */
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
