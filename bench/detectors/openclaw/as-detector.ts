/**
 * A loop session at work on recorded steps. A critical verdict refuses the call and is recorded, the rest of a refused turn is
 * refused with it, and a critical verdict in a later turn of the same run ends the run. A message to the agent begins another
 * run. Chosen here: calls are judged as they come, so what stands before the refused call in its turn is taken to have run;
 * warnings are told once per ten counts.
 */
import type { Alarm, CallStep, Detector, Watch } from '../detector.ts'
import type { CallIds, Stuck } from './records.ts'
import type { LoopSession } from './session.ts'
import { endingOf, useOf } from './step-as-call.ts'
import { warningBuckets } from './warning-buckets.ts'

export interface Harness {
  readonly begin: () => LoopSession
}

export function asDetector(name: string, harness: Harness): Detector {
  return { name, begin: () => beginWatch(harness) }
}

const vetoResult = { details: { status: 'blocked', deniedReason: 'tool-loop' } }

function beginWatch({ begin }: Harness): Watch {
  const session = begin()
  const isTold = warningBuckets()
  let run = 0
  let refusedTurn: number | undefined
  const veto = (step: CallStep, ids: CallIds, { detector: rule }: Stuck): Alarm => {
    session.recordCall(useOf(step), ids)
    session.recordOutcome(useOf(step), { result: vetoResult }, ids)
    const isSecond = refusedTurn !== undefined && refusedTurn !== step.turn
    refusedTurn = step.turn
    return { level: isSecond ? 'stop' : 'refuse', rule, before: true }
  }
  const observeCall = (step: CallStep): Alarm | undefined => {
    if (refusedTurn === step.turn) return { level: 'refuse', rule: 'refused_batch', before: true }
    const use = useOf(step)
    const ids = { toolCallId: `call ${step.index}`, runId: `run ${run}` }
    const verdict = session.detect(use, ids)
    if (verdict.stuck && verdict.level === 'critical') return veto(step, ids, verdict)
    session.recordCall(use, ids)
    const ending = endingOf(step)
    if (ending !== undefined) session.recordOutcome(use, ending, ids)
    const isWarned = verdict.stuck && isTold(`${ids.runId}:${verdict.warningKey}`, verdict.count)
    return isWarned ? { level: 'warn', rule: verdict.detector, before: true } : undefined
  }
  return {
    observe(step) {
      if (step.kind === 'message') {
        run += 1
        refusedTurn = undefined
      }
      return step.kind === 'call' ? observeCall(step) : undefined
    },
  }
}
