import type { LoopSession } from '../session.ts'
import type { CallIds, Ending, Verdict } from '../records.ts'
import { endingNamed } from './endings.ts'
import type { Plan, PlannedCall } from './plans.ts'

const veto: Ending = { result: { details: { status: 'blocked', deniedReason: 'tool-loop' } } }

/** What the session says to each call of the plan, with the length of its history then. */
export interface Said {
  readonly verdict: Verdict
  readonly size: number
}

export function play(session: LoopSession, { calls, vetoes }: Plan): readonly Said[] {
  let late: (() => void) | undefined
  return calls.map((call, at) => {
    const ids: CallIds = { toolCallId: idOf(call, at), runId: call.runId }
    const verdict = compared(session.detect(call.use, ids))
    const isCritical = verdict.stuck && verdict.level === 'critical'
    if (isCritical && vetoes === 'unrecorded') return { verdict, size: session.size() }
    session.recordCall(call.use, ids)
    late?.()
    late = undefined
    const settle = () => settled(session, call, at, isCritical && vetoes === 'recorded')
    if (call.isLate) late = settle
    else settle()
    return { verdict, size: session.size() }
  })
}

function settled(session: LoopSession, call: PlannedCall, at: number, isVetoed: boolean): void {
  const toolCallId = call.isMisnamed ? `not call ${at}` : idOf(call, at)
  const ids = { toolCallId, runId: call.runId }
  if (isVetoed) session.recordOutcome(call.use, veto, ids)
  else if (call.ending !== undefined) session.recordOutcome(call.use, endingNamed(call.ending, at), ids)
}

function idOf({ id }: PlannedCall, at: number): string | undefined {
  if (id === 'none') return undefined
  return id === 'own' ? `call ${at}` : `call ${at % 3}`
}

/** All of a verdict but its message, which is prose. */
function compared(verdict: Verdict): Verdict {
  if (!verdict.stuck) return { stuck: false }
  const { level, detector, count, warningKey, pairedToolName, livenessSignal } = verdict
  return {
    stuck: true,
    level,
    detector,
    count,
    warningKey,
    ...(pairedToolName === undefined ? {} : { pairedToolName }),
    ...(livenessSignal === undefined ? {} : { livenessSignal }),
  }
}
