/** What of a goal is recorded, and what can be asked of it from outside of its turns. */
import { z } from 'zod'
import type { Recorded } from '../base/index.ts'

const text = z.string()
const bound = z.number().positive().exactOptional()

/** What a part and its own parts may use at most; an absent bound is none. Each is above 0. */
export type SubGoalBudget = Recorded<typeof subGoalBudget>
/** `tokens`: input and output. */
const subGoalBudget = z.object({ turns: bound, tokens: bound, costUsd: bound, activeMs: bound })

/** A part of a goal. */
export type SubGoal = Recorded<typeof subGoal>
export const subGoal = z.object({
  /** Unique in its goal: lower-case letters, digits and dashes, at most 40. */
  id: text,
  title: text,
  /** The part that it belongs to; null: the goal itself. */
  parentId: text.nullable(),
  /** Names of verifiers. None: its children close it; without children it stays unverified. */
  checks: z.array(text),
  /** Ids of parts that come first. */
  after: z.array(text),
  /** The drive's own plan: shown and told, and no run waits for it. */
  isProposed: z.boolean(),
  budget: subGoalBudget.exactOptional(),
})

/** A command that decides about a goal or a part of it. */
export type CommandCheck = Recorded<typeof commandCheck>
const commandCheck = z.object({ name: text, command: text })

/** What the goal waits for. A process is named with its start, so that another one with its number is not taken for it. */
export type Awaited = Recorded<typeof awaited>
const awaited = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('process'),
    processId: z.number().int(),
    processStart: text.nullable(),
    /** The machine that it runs on, as holders name it: from others nobody can tell. Absent: that of whoever works at the run. */
    host: text.exactOptional(),
  }),
  z.object({ kind: z.literal('run'), runId: text }),
  z.object({ kind: z.literal('time') }),
])

export type Waiting = Recorded<typeof waiting>
/** `expiresAtMs`: milliseconds since the Unix epoch; then the wait is over, whatever has become of it. */
const waiting = z.object({ awaited, expiresAtMs: z.number(), reason: text })

/** `unknown`: nobody can tell any more, so it is not waited for. */
export type WaitEnd = Recorded<typeof waitEnd>
export const waitEnd = z.enum(['over', 'expired', 'unknown'])

/** What can be asked for, also by a request that waits in the store. */
export type GoalChange = Recorded<typeof goalChange>
export const goalChange = z.discriminatedUnion('kind', [
  /** Another goal takes the place of this one; its parts and what it has spent are its own. Checks stay. */
  z.object({ kind: z.literal('replaced'), goalId: text, objective: text }),
  z.object({ kind: z.literal('objective-edited'), objective: text }),
  /** `checks`: those of its checks that are new. */
  z.object({ kind: z.literal('sub-goal-added'), subGoal, checks: z.array(commandCheck) }),
  /** `budget`: in place of the one that it had. */
  z.object({
    kind: z.literal('sub-goal-edited'),
    id: text,
    title: text.exactOptional(),
    budget: subGoalBudget.exactOptional(),
  }),
  /** The run found that its budget has no room for another step. */
  z.object({ kind: z.literal('sub-goal-over-budget'), id: text, reason: text }),
  z.object({ kind: z.literal('checks-added'), checks: z.array(commandCheck) }),
  z.object({ kind: z.literal('paused'), reason: text }),
  z.object({ kind: z.literal('resumed') }),
  z.object({ kind: z.literal('cleared') }),
  waiting.extend({ kind: z.literal('wait-began') }),
  z.object({ kind: z.literal('blocker-reported'), blocker: text }),
  z.object({ kind: z.literal('progress-reported'), progress: text }),
  /** A person says something while the work goes on, or goes on with it so: the drive is told, and what is wanted stays. */
  z.object({ kind: z.literal('message-given'), text }),
  /** The drive says that it is done: the checks are asked at the end of its turn. */
  z.object({ kind: z.literal('completion-requested') }),
])
