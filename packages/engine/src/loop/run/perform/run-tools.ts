import type { Decision } from '@donecheck/core/internal/decide'
import {
  type EpochMs,
  type Fact,
  problemOfFact,
  type NewEvent,
  type ToolCall,
} from '@donecheck/core/internal/events'
import type { PendingCall } from '@donecheck/core/internal/state'
import { authorizeCall, prepare } from '../calls/authorize-call.ts'
import { isAskedAlready, toolReturned, outcomeUnknown } from '../calls/call-records.ts'
import { effectSignal, settleWithin } from './settle-within.ts'
import type { LiveRun } from '../session/session.ts'
import { subRunDoor, lostSubRuns, announceAll, conduct } from '../sub-runs.ts'
import type { World } from '../session/world.ts'
import type { HookedCall, Occasion } from '../../../ports/callbacks.ts'
import type { ToolOutcome, ConductedCall } from '../../../ports/loop.ts'
import { fireHooks } from '../hooks.ts'
import { deadlineOf } from '@donecheck/core/internal/rules/caps'

type RunTools = Extract<Decision, { kind: 'run-tools' }>

/** Runs calls in sequence; announces each before and records it after (I4). */
export async function runTools(decision: RunTools, session: LiveRun, world: World): Promise<void> {
  const { phase } = session.state
  const pending = phase.kind === 'acting' ? phase.pending : []
  const deadlineMs = putOff(decision.deadlineMs, pending[0]?.call.callId, session, world)
  const signal = effectSignal(world.signal, deadlineMs, world.clock)
  for (const entry of pending.filter(({ call }) => decision.callIds.includes(call.callId))) {
    if (signal.aborted) return
    const { started } = session.state.subRuns
    await runCall(entry, session, world, signal)
    // A sub-run used up caps under which this batch was allowed.
    if (session.state.subRuns.started !== started) return
  }
}

function putOff(
  deadlineMs: EpochMs | null,
  callId: string | undefined,
  { state }: LiveRun,
  world: World,
): EpochMs | null {
  if (deadlineMs === null || callId === undefined || !isAskedAlready(callId, world)) return deadlineMs
  return deadlineMs + Math.max(0, world.clock.nowMs() - state.nowMs)
}

async function runCall(
  { call }: PendingCall,
  session: LiveRun,
  world: World,
  signal: AbortSignal,
): Promise<void> {
  const { callId } = call
  const authorized = await authorizeCall(call, session, world, signal)
  if (world.signal.aborted) return
  if (signal.aborted) {
    await refuse(callId, { by: 'cap', reason: 'the time of this run is over' }, session, world)
    return
  }
  if (authorized.kind === 'refused') {
    await refuse(callId, authorized.fact, session, world)
    return
  }
  const { tool, prepared, args, outsideSandbox, isApproved } = authorized
  const called = { callId, tool: tool.name, effect: tool.effect, args }
  await session.tell({ type: 'tool-called', callId, tool: tool.name, effect: tool.effect })
  if (prepared.kind === 'sub-runs') {
    const problem = await announceAll(prepared, callId, session, world)
    if (problem === undefined) await awaitSubRuns(prepared, called, session, world)
    else await answerCall(called, { status: 'error', output: `not delegated: ${problem}` }, session, world)
    return
  }
  const door = subRunDoor(callId, session, world)
  const context = {
    ...door.context,
    onOutput: (piece: string) => world.onOutput(callId, piece),
    ...(outsideSandbox ? { outsideSandbox: true as const } : {}),
    ...(isApproved ? { isApproved: true as const } : {}),
  }
  const outcome = await settleOutcome(() => prepared.run(signal, context), signal)
  await door.close()
  await answerCall(called, outcome, session, world)
}

type Refusal = Omit<Extract<Fact, { type: 'tool-refused' }>, 'type' | 'callId'>

/** Records a refusal, and reports it to an agent that runs its own tools. */
export async function refuse(
  callId: string,
  refusal: Refusal,
  session: LiveRun,
  world: World,
): Promise<void> {
  await session.tell({ type: 'tool-refused', callId, ...refusal })
  const { own } = world.agent
  if (own?.toolOf(callId) !== undefined) await own.refuse(callId, refusal.reason)
}

type CalledTool = Omit<HookedCall, keyof Occasion>

/** @param booked recorded together with the result, or not at all */
async function answerCall(
  called: CalledTool,
  outcome: ToolOutcome,
  session: LiveRun,
  world: World,
  booked: readonly NewEvent[] = [],
): Promise<void> {
  const { callId, tool } = called
  const cause = world.history().findLast((event) => event.type === 'tool-called' && event.callId === callId)
  const durationMs = Math.max(0, world.clock.nowMs() - (cause?.timeMs ?? session.state.nowMs))
  const kept = await persistOutcome(called, outcome, session, world)
  await session.tell(...booked, { ...toolReturned(callId, tool, kept, session), durationMs })
  const { status, output } = kept
  await fireHooks('after_tool_call', { ...called, status, output }, session, world)
}

async function persistOutcome(
  call: CalledTool,
  outcome: ToolOutcome,
  session: LiveRun,
  world: World,
): Promise<ToolOutcome> {
  const persisted = { ...call, output: outcome.output }
  const { output } = await fireHooks('tool_result_persist', persisted, session, world)
  return output === undefined ? outcome : { ...outcome, output }
}

async function settleOutcome(ask: () => Promise<ToolOutcome>, signal: AbortSignal): Promise<ToolOutcome> {
  const settled = await settleWithin(ask, { signal })
  switch (settled.kind) {
    case 'answered':
      if (problemOfFact({ type: 'tool-returned', callId: '', ...settled.value }) === undefined)
        return settled.value
      return { status: 'error', output: 'the tool answered nonsense' }
    case 'threw':
      return { status: signal.aborted ? 'interrupted' : 'error', output: settled.message }
    case 'abandoned':
      return {
        status: 'interrupted',
        output: 'the tool did not end when it was told to; it may still be at work',
      }
  }
}

async function awaitSubRuns(
  prepared: ConductedCall,
  called: CalledTool,
  session: LiveRun,
  world: World,
): Promise<void> {
  const { callId } = called
  const deadlineMs = deadlineOf(session.state)
  const ended = await conduct({ prepared, callId, session, world, deadlineMs })
  if (ended === undefined) return
  const outcome = await settleOutcome(() => prepared.report(ended), world.signal)
  const booked = ended.map(({ runId: childRunId, end }): NewEvent => ({
    type: 'sub-run-ended',
    childRunId,
    ...end,
  }))
  await answerCall(called, outcome, session, world, booked)
}

/** Continues a call whose sub-runs another process conducts, without announcing it again. */
export async function continueCall(call: ToolCall, session: LiveRun, world: World): Promise<void> {
  const { callId } = call
  const tool = world.tools.find(({ name }) => name === call.tool)
  const { args } = session.argumentsOf(callId, call.args)
  const prepared = tool === undefined ? undefined : await prepare(tool, args, world.signal)
  const open = session.state.subRuns.open.filter(({ isElsewhere }) => isElsewhere)
  if (tool !== undefined && prepared?.kind === 'sub-runs' && prepared.shares.length === open.length)
    return awaitSubRuns(prepared, { callId, tool: tool.name, effect: tool.effect, args }, session, world)
  const problem = `whoever goes on with this run cannot ask for it: it has no tool "${call.tool}" that has begun it`
  await session.tell(...lostSubRuns(open, problem), outcomeUnknown(call, world.prompts))
}
