/** Facts of a goal: set when its run begins, and changed while it goes on. */
import { z } from 'zod'
import type { Recorded } from '../../base/index.ts'
import { goalChange, subGoal, waitEnd } from '../../goal/index.ts'
import { verifierDescription } from '../settings/index.ts'
import { fact } from './fact.ts'

const text = z.string()
const request = z.number().int().positive()

export const goalFacts = [
  fact('goal-set', {
    task: text,
    /** Absent: the goal has no parts yet. */
    subGoals: z.array(subGoal).exactOptional(),
    /** Constraints and the like, at the end of the task. Absent: none are told apart. */
    rules: text.exactOptional(),
  }),
  fact('goal-changed', {
    /** The goal that it was when it was changed. */
    goalId: text,
    by: text,
    change: goalChange,
    /** Of the checks that came with it. Absent: none did. */
    verifiers: z.array(verifierDescription).exactOptional(),
    /** Which request of the store asked for it; absent: none. */
    request: request.exactOptional(),
  }),
  fact('goal-change-refused', {
    by: text,
    /** What was asked for, in one word. */
    kind: text,
    /** One sentence for who asked. */
    reason: text,
    request: request.exactOptional(),
  }),
  /** The drive is told what is wanted now, before its next reply. */
  fact('drive-steered', { goalId: text, text }),
  /** Announces nothing: while a goal waits, no turn begins and no token is used. */
  fact('goal-wait-ended', { goalId: text, how: waitEnd }),
] as const

export type GoalFact = Recorded<(typeof goalFacts)[number]>
