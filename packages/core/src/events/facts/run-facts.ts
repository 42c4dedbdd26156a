import { z } from 'zod'
import type { Recorded } from '../../base/index.ts'
import { consumption, tokenUsage } from '../../usage/index.ts'
import { budget, caps, agentDescription, runSettings } from '../settings/index.ts'
import { outcome, stopTransition } from '../transitions/index.ts'
import { fact, json, sandboxDescription } from './turn-facts.ts'

const maxPlanEntries = 100

const text = z.string()
const count = z.number().int().nonnegative()

export type ParentRun = Recorded<typeof parentRun>
const parentRun = z.object({ runId: text, callId: text })

export const planEntryState = z.enum(['pending', 'in-progress', 'completed'])

export type PlanEntry = Recorded<typeof planEntry>
const planEntry = z.object({ text, state: planEntryState })

/** The full plan at the agent's next reply; it replaces the earlier one. It is only the agent's statement. */
type AgentPlanReported = Recorded<typeof agentPlanReported>
const agentPlanReported = fact('agent-plan-reported', {
  entries: z.array(planEntry).max(maxPlanEntries),
  leftOut: count.exactOptional(),
})

export const runFacts = [
  fact('run-started', {
    donecheckVersion: text,
    /** Absolute with symlinks resolved; null if the run has no folder. */
    workFolder: text.nullable(),
    agent: agentDescription,
    settings: runSettings,
    /** What the starter needs to rebuild the same parts on resume; opaque here. */
    recipe: json,
    /** The sandbox of its tools' commands; absent if they run none. */
    sandbox: sandboxDescription.exactOptional(),
    parent: parentRun.exactOptional(),
    /** Tags to tell runs apart later, such as `memory=on`. */
    tags: z.array(text).exactOptional(),
  }),
  fact('run-resumed', {
    holder: text,
    /** The agent from here on, with its prices and limits. */
    agent: agentDescription.exactOptional(),
    /** A caller that is unsure whether the request succeeded repeats it with the same id. */
    requestId: text.exactOptional(),
  }),
  fact('interrupt-requested', { by: text }),
  fact('run-stopped', { transition: stopTransition }),
  /** The agent reported the id with which its session can be resumed. */
  fact('agent-session-opened', { sessionId: text }),
  agentPlanReported,
  /** Lessons of earlier runs, sent to this agent. */
  fact('memory-recalled', {
    /** `failure`: checks failed in a way that was seen before, or similar. */
    occasion: z.enum(['start', 'failure']),
    facts: z.array(z.object({ id: text, text })),
    /** Sent to the agent before its next reply: the facts as fenced data. */
    text,
  }),
  /**
   * One call without tools after an early end: what is done, what is left, how to continue. Appended before
   * the call (I4). It counts as a model call but not as a turn.
   */
  fact('final-summary-called', {
    end: stopTransition,
    /** The message to the agent. It never becomes part of the conversation. */
    notice: text,
  }),
  fact('final-summary-replied', {
    text,
    droppedCalls: count,
    /** Null if unknown, or if nothing was spent. */
    usage: tokenUsage.nullable(),
    costUsd: z.number().nullable(),
    problem: text.exactOptional(),
  }),
  /** Appended before the child starts: its allocated budget is reserved from here (I9). */
  fact('sub-run-started', {
    childRunId: text,
    callId: text,
    /** At most what the parent had left. */
    allocated: caps,
    /** The part of the goal that is charged; default: the active part. */
    subGoalId: text.exactOptional(),
    /** Another process conducts it, and it survives the process that announced it. */
    elsewhere: z.literal(true).exactOptional(),
  }),
  fact('sub-run-ended', {
    childRunId: text,
    /** Null if unknown; then the full allocated budget counts as spent. */
    spent: consumption.nullable(),
    /** Null if it never ended. */
    outcome: outcome.nullable(),
    message: text,
  }),
  fact('budget-added', { by: text, added: budget }),
] as const

export function planReported(plan: readonly PlanEntry[]): AgentPlanReported {
  const entries = plan.slice(0, maxPlanEntries).map(({ text, state }) => ({ text, state }))
  const leftOut = plan.length - entries.length
  return { type: 'agent-plan-reported', entries, ...(leftOut === 0 ? {} : { leftOut }) }
}
