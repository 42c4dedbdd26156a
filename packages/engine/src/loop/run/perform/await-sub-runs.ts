/** A call that is answered by sub-runs which somebody else conducts. */
import { deadlineOf } from '@donecheck/core/caps'
import type { NewEvent, ToolCall } from '@donecheck/core/events'
import type { ConductedCall } from '../../../ports/loop.ts'
import { prepare } from '../calls/authorize-call.ts'
import { outcomeUnknown } from '../calls/tool-returned.ts'
import type { Session } from '../session/session.ts'
import type { World } from '../session/world.ts'
import { conduct } from '../sub-runs/conducted-call.ts'
import { lostSubRuns } from '../sub-runs/sub-runs.ts'
import { answerCall, settleOutcome, type CalledTool } from './answer-call.ts'

/** Where they are still at work it records nothing, and is called once more. */
export async function awaitSubRuns(
  prepared: ConductedCall,
  called: CalledTool,
  session: Session,
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

/** Goes on with the call whose sub-runs somebody else conducts: nothing of it is announced twice. */
export async function continueCall(call: ToolCall, session: Session, world: World): Promise<void> {
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
