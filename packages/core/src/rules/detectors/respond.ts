/** The response to a loop: warn, refuse the continuing call, refuse the full batch, end the run. */
import { batchOf, callKey, findingKey } from '../../state/index.ts'
import type { PendingCall, RunState, Rule } from '../../state/index.ts'
import type { Finding } from '../../events/index.ts'
import { continues, loopDetections, detectionsToRefuse, viewOf } from './loop-detections.ts'
import type { Detection, SoftView } from './detection.ts'

/** Returns one finding at a time: unreported ones first, then the end. */
export const loopDetection: Rule = (state) => {
  const view = viewOf(state)
  if (view === undefined || !isDue(state)) return undefined
  const findings = loopDetections(view, 'on').map((detection) => findingOf(detection, state, view))
  const end = findings.find(({ level }) => level === 'stop') ?? endOfVetoes(state, view)
  return end ?? findings.find((finding) => !state.noted.includes(findingKey(finding))) ?? findings[0]
}

/** Ends the run after `vetoesUntilEnd` refusals that did not break the loop. */
function endOfVetoes(state: RunState, view: SoftView): Finding | undefined {
  const { vetoes, vetoedTurn } = view.activity
  if (state.phase.kind !== 'judging' || vetoedTurn !== batchOf(state)) return undefined
  if (vetoes < view.settings.vetoesUntilEnd) return undefined
  const [detection] = detectionsToRefuse(view)
  return detection === undefined ? undefined : findingOf(detection, state, view)
}

/** Records what would have fired, without acting on it. */
export const loopDetectionShadow: Rule = (state) => {
  const view = viewOf(state)
  if (view === undefined || !isDue(state)) return undefined
  return loopDetections(view, 'shadow')
    .map(shadowFinding)
    .find((finding) => !state.noted.includes(findingKey(finding)))
}

function shadowFinding({ detector, key, level, message, numbers, basedOn }: Detection): Finding {
  return {
    rule: `shadow:${detector}`,
    level: 'note',
    key: `${level}:${key}`,
    message: `would be ${level}: ${message}`,
    numbers,
    basedOn,
  }
}

function isDue({ phase, turnOpen }: RunState): boolean {
  return phase.kind === 'acting' || (phase.kind === 'judging' && turnOpen)
}

function findingOf(detection: Detection, state: RunState, view: SoftView): Finding {
  const { detector, key, message, numbers, basedOn, advice } = detection
  const body = { rule: `loop:${detector}`, message, numbers, basedOn, key: `${detection.level}:${key}` }
  if (detection.level !== 'warning' && isOver(detection, state, view))
    return { ...body, level: 'stop', stop: { reason: 'loop_detected', detector } }
  // The refusal of the call already reports it.
  const isRefused = detection.level === 'critical' && state.phase.kind === 'acting'
  return isRefused ? { ...body, level: 'warn' } : { ...body, level: 'warn', advice }
}

/** The run ends only at the end of its turn; open calls are refused first. */
function isOver({ level }: Detection, { phase }: RunState, { activity, settings }: SoftView): boolean {
  return phase.kind === 'judging' && (level === 'fatal' || activity.vetoes >= settings.vetoesUntilEnd)
}

interface Veto {
  readonly callIds: readonly string[]
  readonly reason: string
}

/** Undefined if the calls may run. A new call in a refused batch may run: it may leave the loop. */
export function vetoOf(state: RunState, pending: readonly PendingCall[]): Veto | undefined {
  const view = viewOf(state)
  if (view === undefined) return undefined
  for (const detection of detectionsToRefuse(view)) {
    const bad = pending.filter(({ call }) => continues(detection, { tool: call.tool, key: callKey(call) }))
    const isBatch = state.activity.vetoes > 0 && state.activity.vetoedTurn !== batchOf(state)
    if (bad.length > 0)
      return {
        callIds: pending
          .filter((entry) => bad.includes(entry) || (isBatch && wasMade(entry, state)))
          .map(({ call }) => call.callId),
        reason: reasonOf(detection, isBatch),
      }
  }
  return undefined
}

function wasMade({ call }: PendingCall, { activity }: RunState): boolean {
  const key = callKey(call)
  return activity.calls.some((record) => record.call === key)
}

function reasonOf({ advice, detector }: Detection, isBatch: boolean): string {
  const what = isBatch
    ? 'None of the calls that were made before was run, because they go on with a loop; going on with it ends the run.'
    : 'This call was not run, because it goes on with a loop; going on with it ends the run.'
  return `${what} ${advice} (${detector})`
}
