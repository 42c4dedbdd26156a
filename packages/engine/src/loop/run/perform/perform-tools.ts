import { workDeadlineOf } from '@donecheck/core/caps'
import type { Decision } from '@donecheck/core/decide'
import { problemOfFact, type EpochMs } from '@donecheck/core/events'
import type { PendingCall } from '@donecheck/core/state'
import type { HookedCall, Occasion } from '../../../ports/callbacks.ts'
import type { ToolContext, ToolOutcome } from '../../../ports/loop.ts'
import { isAskedAlready } from '../calls/asked-before.ts'
import { authorizeCall, type Ready } from '../calls/authorize-call.ts'
import { effectSignal } from './effect-signal.ts'
import { fireHooks } from '../hooks/fire-hooks.ts'
import type { Session } from '../session/session.ts'
import { settleWithin } from './settle-within.ts'
import { refuse } from '../calls/refuse.ts'
import { subRunDoor } from '../sub-runs/sub-runs.ts'
import { toolReturned } from '../calls/tool-returned.ts'
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
  const hooked = { callId, tool: tool.name, effect: tool.effect, args }
  const [called] = await session.tell({ type: 'tool-called', callId, tool: tool.name, effect: tool.effect })
  const startedMs = world.clock.nowMs()
  const door = subRunDoor(callId, session, world)
  const workSignal = effectSignal(signal, workDeadlineOf(session.state), world.clock)
  const context = {
    ...door.context,
    onOutput: (piece: string) => world.onOutput(callId, piece),
    ...(outsideSandbox ? { outsideSandbox: true as const } : {}),
    ...(isApproved ? { isApproved: true as const } : {}),
  }
  const outcome = await run(prepared, workSignal, context)
  await door.close()
  const durationMs = Math.max(0, world.clock.nowMs() - startedMs)
  const causeId = called === undefined ? {} : { causeId: called.id }
  const kept = await persistOutcome(hooked, outcome, session, world)
  const { state, secrets } = session
  const said = toolReturned(callId, tool.name, kept, { state, secrets, world })
  await session.tell({ ...said, durationMs, ...causeId })
  const { status, output } = kept
  await fireHooks('after_tool_call', { ...hooked, status, output }, session, world)
}

/** The answer as the hooks want it kept and told. */
async function persistOutcome(
  call: Omit<HookedCall, keyof Occasion>,
  outcome: ToolOutcome,
  session: Session,
  world: World,
): Promise<ToolOutcome> {
  const { output } = await fireHooks(
    'tool_result_persist',
    { ...call, output: outcome.output },
    session,
    world,
  )
  return output === undefined ? outcome : { ...outcome, output }
}

async function run(prepared: Ready, signal: AbortSignal, context: ToolContext): Promise<ToolOutcome> {
  const settled = await settleWithin(() => prepared.run(signal, context), { signal })
  switch (settled.kind) {
    case 'answered':
      return isOutcome(settled.value)
        ? settled.value
        : { status: 'error', output: 'the tool answered nonsense' }
    case 'threw':
      return { status: signal.aborted ? 'interrupted' : 'error', output: settled.message }
    case 'abandoned':
      return {
        status: 'interrupted',
        output: 'the tool did not end when it was told to; it may still be at work',
      }
  }
}

function isOutcome(value: ToolOutcome): boolean {
  return problemOfFact({ type: 'tool-returned', callId: '', ...value }) === undefined
}
