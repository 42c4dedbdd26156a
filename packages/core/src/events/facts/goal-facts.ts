/** Facts of a goal: set when its run begins, and changed while it goes on. */
import type { GoalChange, WaitEnd, SubGoal } from '../../goal/index.ts'
import type { VerifierDescription } from '../settings/index.ts'

export interface GoalSet {
  readonly type: 'goal-set'
  readonly task: string
  /** Absent: the goal has no parts yet. */
  readonly subGoals?: readonly SubGoal[]
  /** Constraints and the like, at the end of the task. Absent: none are told apart. */
  readonly rules?: string
}

export interface GoalChanged {
  readonly type: 'goal-changed'
  /** The goal that it was when it was changed. */
  readonly goalId: string
  readonly by: string
  readonly change: GoalChange
  /** Of the checks that came with it. Absent: none did. */
  readonly verifiers?: readonly VerifierDescription[]
  /** Which request of the store asked for it; absent: none. */
  readonly request?: number
}

export interface GoalChangeRefused {
  readonly type: 'goal-change-refused'
  readonly by: string
  /** What was asked for, in one word. */
  readonly kind: string
  /** One sentence for who asked. */
  readonly reason: string
  readonly request?: number
}

/** The drive is told what is wanted now, before its next reply. */
export interface DriveSteered {
  readonly type: 'drive-steered'
  readonly goalId: string
  readonly text: string
}

/** Announces nothing: while a goal waits, no turn begins and no token is used. */
export interface GoalWaitEnded {
  readonly type: 'goal-wait-ended'
  readonly goalId: string
  readonly how: WaitEnd
}

export type GoalFact = GoalSet | GoalChanged | GoalChangeRefused | DriveSteered | GoalWaitEnded

const goalFactTypes: readonly string[] = [
  'goal-set',
  'goal-changed',
  'goal-change-refused',
  'drive-steered',
  'goal-wait-ended',
] satisfies readonly GoalFact['type'][]

export function isGoalFact<Other extends { readonly type: string }>(
  fact: Other,
): fact is Extract<Other, { type: GoalFact['type'] }> {
  return goalFactTypes.includes(fact.type)
}
