/** The answer of a tool, as it is recorded and told. */
import { problemOfFact, type NewEvent } from '@donecheck/core/events'
import type { HookedCall, Occasion } from '../../../ports/callbacks.ts'
import type { ToolOutcome } from '../../../ports/loop.ts'
import { toolReturned } from '../calls/tool-returned.ts'
import { fireHooks } from '../hooks/fire-hooks.ts'
import type { Session } from '../session/session.ts'
import type { World } from '../session/world.ts'
import { settleWithin } from './settle-within.ts'

export type CalledTool = Omit<HookedCall, keyof Occasion>

/** @param booked what is recorded with the answer, or not at all */
export async function answerCall(
  called: CalledTool,
  outcome: ToolOutcome,
  session: Session,
  world: World,
  booked: readonly NewEvent[] = [],
): Promise<void> {
  const { callId, tool } = called
  const cause = world.history().findLast((event) => event.type === 'tool-called' && event.callId === callId)
  const durationMs = Math.max(0, world.clock.nowMs() - (cause?.timeMs ?? session.state.nowMs))
  const kept = await persistOutcome(called, outcome, session, world)
  const causeId = cause === undefined ? {} : { causeId: cause.id }
  const { state, secrets } = session
  const said = toolReturned(callId, tool, kept, { state, secrets, world })
  await session.tell(...booked, { ...said, durationMs, ...causeId })
  const { status, output } = kept
  await fireHooks('after_tool_call', { ...called, status, output }, session, world)
}

/** The answer as the hooks want it kept and told. */
async function persistOutcome(
  call: CalledTool,
  outcome: ToolOutcome,
  session: Session,
  world: World,
): Promise<ToolOutcome> {
  const persisted = { ...call, output: outcome.output }
  const { output } = await fireHooks('tool_result_persist', persisted, session, world)
  return output === undefined ? outcome : { ...outcome, output }
}

/** What a tool throws is an answer too. */
export async function settleOutcome(
  ask: () => Promise<ToolOutcome>,
  signal: AbortSignal,
): Promise<ToolOutcome> {
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
