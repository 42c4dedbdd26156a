import type { WaitEnd } from '../../goal/index.ts'
import type { JudgedReply } from '../../state/index.ts'
import type { Verdict } from '../../events/verdicts/index.ts'

/** What the caps leave of turns and tokens. Null: no such cap, or nobody can count. */
export interface BudgetLeft {
  readonly turns: number | null
  readonly tokens: number | null
}

/** A goal as it stands, for the drive. */
export interface GoalView {
  readonly objective: string
  /** Those that were changed, then those that are not closed, in their order. */
  readonly open: readonly {
    readonly id: string
    readonly title: string
    readonly checks: readonly string[]
    /** Nothing that comes before it is open. */
    readonly isNext: boolean
    /** Nobody works at it before it is given more. */
    readonly isOverBudget: boolean
    /** It was changed, and its checks pass all the same. */
    readonly isClosed: boolean
  }[]
  /** Open parts that are not named. */
  readonly leftOut: number
  readonly closed: number
  readonly left: BudgetLeft
}

/** Everything that the program says to a drive. One implementation per language; users may bring their own. */
export interface Prompts {
  /** Required checks that do not pass, and how often in a row each has not. Null: no such cap. */
  checksFailed(
    open: readonly { readonly verdict: Verdict; readonly times: number }[],
    left: BudgetLeft,
  ): string
  /** The shown checks pass, and so many of the held-out ones do not. Nothing more of them may be told. */
  heldOutFailed(count: { readonly open: number; readonly total: number }): string
  /** All checks pass, and the drive has not said that it is finished. */
  checksPass(): string
  /** The drive says that it is finished; the checks were green before it began, and nothing has changed. */
  nothingProven(): string
  /** The drive says that it is finished; no check is open, and yet they do not add up to done. */
  notDone(): string
  /** The reply ended at its length limit without asking for a tool. */
  replyCutOff(): string
  /** The reply falls short, and is not delivered; all that was found in this and earlier attempts. */
  replyNotAccepted(judged: {
    readonly attempt: number
    readonly maxAttempts: number
    readonly faults: readonly JudgedReply[]
    /** It is word for word an earlier one. */
    readonly isUnchanged: boolean
  }): string
  /** The drive ended its turn by itself, and so much of its token budget is used. */
  budgetLeft(used: {
    readonly percent: number
    readonly turnTokens: number
    readonly budgetTokens: number
  }): string
  /** The run ends early, for this reason: the last answer, without tools. */
  finalSummary(end: { readonly message: string; readonly openChecks: readonly string[] }): string
  /** Somebody changed what is wanted, in the middle of the run. */
  goalChanged(goal: GoalView): string
  /** The drive says that it is finished while parts of its goal are open: what to look at before it says so again. */
  goalAudit(goal: GoalView): string
  /** What the goal waited for is over. */
  waitEnded(wait: { readonly reason: string; readonly how: WaitEnd }): string
  /** The process died while an external agent was at work. */
  turnInterrupted(): string
  /** The process died while this tool was running. */
  toolOutcomeUnknown(tool: string): string
}
