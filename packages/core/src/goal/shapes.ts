import { z } from 'zod'
import type { Recorded } from '../base/index.ts'

const text = z.string()
const bound = z.number().positive().exactOptional()

/** An absent limit means none. Each is above 0. */
export type SubGoalBudget = Recorded<typeof subGoalBudget>
const subGoalBudget = z.object({ turns: bound, tokens: bound, costUsd: bound, activeMs: bound })

export type SubGoal = Recorded<typeof subGoal>
export const subGoal = z.object({
  /** Unique in its goal: lower-case letters, digits and dashes, at most 40. */
  id: text,
  title: text,
  parentId: text.nullable(),
  /** Names of verifiers. Without checks its children close it; without children too it stays unverified. */
  checks: z.array(text),
  after: z.array(text),
  /** The agent's own plan, shown but not required. */
  isProposed: z.boolean(),
  budget: subGoalBudget.exactOptional(),
})

export type CommandCheck = Recorded<typeof commandCheck>
const commandCheck = z.object({ name: text, command: text })

/** A process is identified with its start time, because ids are reused. */
export type Awaited = Recorded<typeof awaited>
const awaited = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('process'),
    processId: z.number().int(),
    processStart: text.nullable(),
    /** The machine of the process; other machines cannot check it. Default: the machine that runs the run. */
    host: text.exactOptional(),
  }),
  z.object({ kind: z.literal('run'), runId: text }),
  z.object({ kind: z.literal('time') }),
])

export type Waiting = Recorded<typeof waiting>
/** `expiresAtMs`: milliseconds since the Unix epoch, when the wait ends regardless. */
const waiting = z.object({ awaited, expiresAtMs: z.number(), reason: text })

/** `unknown`: the state can no longer be determined, so the wait ends. */
export type WaitEnd = Recorded<typeof waitEnd>
export const waitEnd = z.enum(['over', 'expired', 'unknown'])

export type GoalChange = Recorded<typeof goalChange>
export const goalChange = z.discriminatedUnion('kind', [
  /** Replaces the goal, its parts and spending. Checks stay. */
  z.object({ kind: z.literal('replaced'), goalId: text, objective: text }),
  z.object({ kind: z.literal('objective-edited'), objective: text }),
  /** `checks`: only the new ones. */
  z.object({ kind: z.literal('sub-goal-added'), subGoal, checks: z.array(commandCheck) }),
  z.object({
    kind: z.literal('sub-goal-edited'),
    id: text,
    title: text.exactOptional(),
    budget: subGoalBudget.exactOptional(),
  }),
  z.object({ kind: z.literal('sub-goal-over-budget'), id: text, reason: text }),
  z.object({ kind: z.literal('checks-added'), checks: z.array(commandCheck) }),
  z.object({ kind: z.literal('paused'), reason: text }),
  z.object({ kind: z.literal('resumed') }),
  z.object({ kind: z.literal('cleared') }),
  waiting.extend({ kind: z.literal('wait-began') }),
  z.object({ kind: z.literal('blocker-reported'), blocker: text }),
  z.object({ kind: z.literal('progress-reported'), progress: text }),
  /** A user message while the run continues; the goal itself stays. */
  z.object({ kind: z.literal('message-given'), text }),
  /** The agent claims done: the checks run at the end of its turn. */
  z.object({ kind: z.literal('completion-requested') }),
])
