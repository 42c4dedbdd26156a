/** Resumes an unfinished stream: closes announced effects first, so that none is repeated unseen. */
import { resumableOutcomes } from '@donecheck/core/internal/decide/stops'
import type { Prompts } from '@donecheck/core/internal/decide/prompts'
import { given, UsageError } from '../../../base/index.ts'
import { type Budget, amounts, capTable, typedName, type CapName } from '@donecheck/core/internal/budgets'
import type { AgentDescription } from '@donecheck/core/internal/events/settings'
import { canonicalJson } from '@donecheck/core/internal/base'
import { isMidTurn, type PendingCall, type RunState } from '@donecheck/core/internal/state'
import type { NewEvent } from '@donecheck/core/internal/events'
import type { EventLog } from '../../../ports/store.ts'
import { callBrokenOff, withoutSummary } from '../perform/call-model.ts'
import { findBrokenOffDelivery } from '../replies.ts'
import { outcomeUnknown } from '../calls/call-records.ts'
import { conductedCall, readSubRunOutcome } from '../sub-runs.ts'
import type { LiveRun } from './session.ts'
import { hardCaps, liftsCap } from '@donecheck/core/internal/rules/caps'

interface ResumeMeans {
  readonly topUp?: Partial<Budget> | undefined
  readonly hasMessage?: boolean
}

/** @throws {UsageError} if the run is finished, unless the top-up lifts its cap or a user adds a message */
export function assertResumable(state: RunState, { topUp, hasMessage = false }: ResumeMeans = {}): void {
  if (state.parent !== undefined)
    throw new UsageError(
      `run ${state.runId} is a part of run ${state.parent.runId}, which draws on its budget: resume that one`,
    )
  if (topUp !== undefined) assertBounded(state, topUp)
  if (state.phase.kind !== 'stopped') return
  const { outcome, reason, message, cap } = state.phase.transition
  if (resumableOutcomes.includes(outcome) || (hasMessage && reason === 'model_ended')) return
  if (reason === 'hard_cap' && cap !== undefined) {
    assertLifted(state, cap, topUp)
    return
  }
  throw new UsageError(
    `run ${state.runId} is finished (${outcome}, ${reason}: ${message}) and cannot be resumed; start a new run`,
  )
}

/** Whether a resume must record an event: open effect, lost observation, or another agent. */
export function isBrokenOff(state: RunState, agent: AgentDescription): boolean {
  const { phase, finalSummary, subRuns } = state
  if (phase.kind === 'stopped') return false
  if (canonicalJson(agent) !== canonicalJson(state.agent)) return true
  if (phase.kind === 'calling' || phase.kind === 'verifying') return true
  if (subRuns.open.some(({ isElsewhere }) => !isElsewhere)) return true
  if (findBrokenOffDelivery(state) !== undefined) return true
  if (finalSummary !== undefined && finalSummary.reply === undefined) return true
  // The agent's turn ended with its process.
  if (agent.ownsTools === true && (phase.kind === 'acting' || isMidTurn(state))) return true
  return brokenOffCalls(state).length > 0
}

/** Open calls, except those whose sub-runs another process conducts. */
function brokenOffCalls(state: RunState): readonly PendingCall[] {
  const { phase } = state
  if (phase.kind !== 'acting' || conductedCall(state) !== undefined) return []
  return phase.pending.filter(({ announcedAs }) => announcedAs !== undefined)
}

interface Waking {
  readonly holder: string
  readonly agent: AgentDescription
  readonly topUp?: TopUpRequest
  readonly requestId?: string
  readonly runs: Pick<EventLog, 'read'>
}

export async function wake(session: LiveRun, waking: Waking, prompts: Prompts): Promise<void> {
  const { holder, agent, topUp, requestId, runs } = waking
  const added = topUp === undefined ? [] : [{ type: 'budget-added' as const, ...topUp }]
  await session.tell({ type: 'run-resumed', holder, agent, ...given({ requestId }) }, ...added)
  const children = session.state.subRuns.open
    .filter(({ isElsewhere }) => !isElsewhere)
    .map(({ childRunId }) => readSubRunOutcome(runs, childRunId))
  const facts = [...(await Promise.all(children)), ...interruptedFacts(session.state, prompts)]
  if (facts.length > 0) await session.tell(...facts)
}

function interruptedFacts(state: RunState, prompts: Prompts): readonly NewEvent[] {
  const { phase, finalSummary } = state
  const delivery = findBrokenOffDelivery(state)
  if (delivery !== undefined) return [delivery]
  // Not repeated: a summary without the agent replaces its reply.
  if (finalSummary !== undefined && finalSummary.reply === undefined)
    return [withoutSummary('the process ended while the agent was asked', state)]
  if (phase.kind === 'calling') return [callBrokenOff(state, prompts)]
  return brokenOffCalls(state).map(({ call }) => outcomeUnknown(call, prompts))
}

export interface TopUpRequest {
  readonly by: string
  readonly added: Partial<Budget>
}

/** @throws {UsageError} if the run has no such cap */
function assertBounded(state: RunState, added: Partial<Budget>): void {
  const { caps } = state.settings
  const unbounded = amounts.find((name) => added[name] !== undefined && caps[capTable[name].field] === null)
  const tool = Object.keys(added.callsPerTool ?? {}).find(
    (name) => !Object.hasOwn(caps.maxCallsPerTool, name),
  )
  if (unbounded === undefined && tool === undefined) return
  const what = unbounded === undefined ? `calls of ${tool}` : typedName(unbounded)
  throw new UsageError(`run ${state.runId} has no cap on ${what}: leave it out of the top-up`)
}

/** @throws {UsageError} naming the top-up that the run needs */
function assertLifted(state: RunState, cap: CapName, added: Partial<Budget> | undefined): void {
  if (cap === 'blocked_stops')
    throw new UsageError(
      `run ${state.runId} is finished: its stop was blocked without a better score as often as it may be; start a new run`,
    )
  if (added !== undefined && liftsCap(state, cap, added, hardCaps)) return
  const amount = amounts.find((name) => capTable[name].cap === cap)
  const name = amount === undefined ? cap : typedName(amount)
  const more = amount !== undefined && added?.[amount] !== undefined ? 'more than that' : 'more'
  throw new UsageError(
    `run ${state.runId} ended at its cap on ${name} and needs ${more} of it to go on: --top-up ${name}=<amount> (in a program topUp: { ${amount ?? cap}: … })`,
  )
}
