/** Facts of a whole run: how it begins, goes on and ends, what others do for it, and what is told of it. */
import { z } from 'zod'
import type { Recorded } from '../../base/index.ts'
import { consumption, tokenUsage } from '../../usage/index.ts'
import { budget, caps, driveDescription, runSettings } from '../settings/index.ts'
import { outcome, stopTransition } from '../transitions/index.ts'
import { fact, json, sandboxDescription } from './turn-facts.ts'

/** Entries that are recorded of one plan. */
const maxPlanEntries = 100

const text = z.string()
const count = z.number().int().nonnegative()

/** The run that another one is a part of, and the tool call that started that one. */
export type ParentRun = Recorded<typeof parentRun>
const parentRun = z.object({ runId: text, callId: text })

export const planEntryState = z.enum(['pending', 'in-progress', 'completed'])

export type PlanEntry = Recorded<typeof planEntry>
const planEntry = z.object({ text, state: planEntryState })

/** All of it, as it stood when the agent next replied; it replaces the one before. It is its word and no more: nothing follows of it. */
type AgentPlanReported = Recorded<typeof agentPlanReported>
const agentPlanReported = fact('agent-plan-reported', {
  entries: z.array(planEntry).max(maxPlanEntries),
  /** Further entries; absent: none. */
  leftOut: count.exactOptional(),
})

export const runFacts = [
  fact('run-started', {
    donecheckVersion: text,
    /** Absolute, symlinks resolved; null where the run has no folder. */
    workFolder: text.nullable(),
    drive: driveDescription,
    settings: runSettings,
    /** What the starter needs to build the same parts again on resume; opaque to this room. */
    recipe: json,
    /** Within what the commands of its tools run; absent if they run none. */
    sandbox: sandboxDescription.exactOptional(),
    /** Where this run is a part of another one. */
    parent: parentRun.exactOptional(),
    /** What it is told apart by later, such as `memory=on`; absent: nothing. */
    labels: z.array(text).exactOptional(),
  }),
  fact('run-resumed', {
    holder: text,
    /** The drive that goes on, where it is told: its prices and limits hold from here. */
    drive: driveDescription.exactOptional(),
    /** Whoever asked for it asks with this one once more where it is not sure that it was done. */
    requestId: text.exactOptional(),
  }),
  fact('interrupt-requested', { by: text }),
  fact('run-stopped', { transition: stopTransition }),
  /** The agent has told under what name its session can be gone on with. */
  fact('agent-session-opened', { sessionId: text }),
  agentPlanReported,
  /** What earlier runs left behind, told to the drive of this one. */
  fact('memory-recalled', {
    /** `failure`: checks failed in a way that was seen before, or sounds like it. */
    occasion: z.enum(['start', 'failure']),
    facts: z.array(z.object({ id: text, text })),
    /** What the drive reads before its next reply: the facts as data, fenced. */
    text,
  }),
  /**
   * One call without tools after an early end was decided: what is done, what is left, how to go on. Announced before the drive is
   * asked (I4). It counts as a model call, and is no turn.
   */
  fact('final-summary-called', {
    /** The end that was decided: whatever the call brings, the run ends so. */
    end: stopTransition,
    /** What the drive is told. It never becomes a part of the conversation. */
    notice: text,
  }),
  fact('final-summary-replied', {
    /** Empty: it said nothing. */
    text,
    /** Calls of tools that it asked for all the same; none was run. */
    droppedCalls: count,
    /** Null: nobody knows, or nothing was spent. */
    usage: tokenUsage.nullable(),
    costUsd: z.number().nullable(),
    /** Why there is no reply. */
    problem: text.exactOptional(),
  }),
  /** Announced before the child begins: what is carved for it is reserved from here (I9). */
  fact('sub-run-started', {
    childRunId: text,
    callId: text,
    /** The child's own caps: at most what the parent had left. */
    carved: caps,
    /** The part of the goal that it works at: it is charged to that one. Absent: to the part that is at work. */
    subGoalId: text.exactOptional(),
    /** Somebody else conducts it, and it goes on whatever becomes of the process that announced it. Absent: that process does. */
    elsewhere: z.literal(true).exactOptional(),
  }),
  fact('sub-run-ended', {
    childRunId: text,
    /** Null: nobody knows, so all that was carved counts as spent. */
    spent: consumption.nullable(),
    /** Null: it never came to its end. */
    outcome: outcome.nullable(),
    /** One sentence for a person. */
    message: text,
  }),
  /** A person or a program gave the run more, at a resume. */
  fact('budget-added', { by: text, added: budget }),
] as const

export function planReported(plan: readonly PlanEntry[]): AgentPlanReported {
  const entries = plan.slice(0, maxPlanEntries).map(({ text, state }) => ({ text, state }))
  const leftOut = plan.length - entries.length
  return { type: 'agent-plan-reported', entries, ...(leftOut === 0 ? {} : { leftOut }) }
}
