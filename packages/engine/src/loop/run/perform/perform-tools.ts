import type { Decision } from '@donecheck/core/decide'
import type { EpochMs, Fact } from '@donecheck/core/events'
import type { PendingCall } from '@donecheck/core/state'
import { isAskedAlready } from '../calls/asked-before.ts'
import { authorizeCall } from '../calls/authorize-call.ts'
import { answerCall, settleOutcome } from './answer-call.ts'
import { awaitSubRuns } from './await-sub-runs.ts'
import { effectSignal } from './effect-signal.ts'
import type { Session } from '../session/session.ts'
import { subRunDoor } from '../sub-runs/sub-runs.ts'
import { announceAll } from '../sub-runs/conducted-call.ts'
import type { World } from '../session/world.ts'

type RunTools = Extract<Decision, { kind: 'run-tools' }>

/** Runs the calls of a batch one after the other; each is announced before it runs and answered after (I4). */
export async function runTools(decision: RunTools, session: Session, world: World): Promise<void> {
  const { phase } = session.state
  const pending = phase.kind === 'acting' ? phase.pending : []
  const deadlineMs = putOff(decision.deadlineMs, pending[0]?.call.callId, session, world)
  const signal = effectSignal(world.signal, deadlineMs, world.clock)
  for (const entry of pending.filter(({ call }) => decision.callIds.includes(call.callId))) {
    if (signal.aborted) return
    const { started } = session.state.subRuns
    await runCall(entry, session, world, signal)
    // What a sub-run has used is gone from the caps under which this batch was allowed.
    if (session.state.subRuns.started !== started) return
  }
}

/** The time in which the run was suspended at the question about its next call does not count. */
function putOff(
  deadlineMs: EpochMs | null,
  callId: string | undefined,
  { state }: Session,
  world: World,
): EpochMs | null {
  if (deadlineMs === null || callId === undefined || !isAskedAlready(callId, world)) return deadlineMs
  return deadlineMs + Math.max(0, world.clock.nowMs() - state.nowMs)
}

async function runCall(
  { call }: PendingCall,
  session: Session,
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

/** Records that a call must not run, and tells an agent that would run it itself. */
export async function refuse(
  callId: string,
  refusal: Refusal,
  session: Session,
  world: World,
): Promise<void> {
  await session.tell({ type: 'tool-refused', callId, ...refusal })
  const { own } = world.drive
  if (own?.toolOf(callId) !== undefined) await own.refuse(callId, refusal.reason)
}
