/** Facts of a run that lets other runs do a part of its work, and of budgets that grow. */
import type { Budget, Caps, Consumption } from '../../budgets/index.ts'
import type { Outcome } from '../transitions/index.ts'

/** The run that this one is a part of. */
export interface ParentRun {
  readonly runId: string
  /** The tool call that started it. */
  readonly callId: string
}

/** Announced before the child begins: what is carved for it is reserved from here (I9). */
export interface SubRunStarted {
  readonly type: 'sub-run-started'
  readonly childRunId: string
  readonly callId: string
  /** The child's own caps: at most what the parent had left. */
  readonly carved: Caps
  /** The part of the goal that it works at: it is charged to that one. Absent: to the part that is at work. */
  readonly subGoalId?: string
}

export interface SubRunEnded {
  readonly type: 'sub-run-ended'
  readonly childRunId: string
  /** Null: nobody knows, so all that was carved counts as spent. */
  readonly spent: Consumption | null
  /** Null: it never came to its end. */
  readonly outcome: Outcome | null
  /** One sentence for a person. */
  readonly message: string
}

/** A person or a program gave the run more, at a resume. */
export interface BudgetAdded {
  readonly type: 'budget-added'
  readonly by: string
  readonly added: Partial<Budget>
}
