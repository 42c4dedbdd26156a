/** All detectors together: what they say of a state, gravest first. */
import { detectorNames, type DetectorName, type LoopDetectionSettings } from '../../events/settings/index.ts'
import type { RunState } from '../../state/index.ts'
import { newCallsOutOfLoop, type CallRecord } from '../../state/activity/index.ts'
import type { RuleMode } from '../../base/index.ts'
import { argumentChurn } from './argument-churn.ts'
import { cycle } from './cycle.ts'
import { mayHaveChanged } from './equal-calls.ts'
import { failedCheckRepeat } from './failed-check-repeat.ts'
import { genericRepeat } from './generic-repeat.ts'
import { globalCircuitBreaker } from './global-circuit-breaker.ts'
import { knownPollNoProgress } from './known-poll-no-progress.ts'
import { pingPong } from './ping-pong.ts'
import { repeatedReply } from './repeated-reply.ts'
import { sameFailure } from './same-failure.ts'
import type { Detector, Detection, DetectionLevel, SoftView } from './detection.ts'

/** The name of a detector, as it stands in a finding, finds its file. */
export const detectors: Readonly<Record<DetectorName, Detector>> = {
  cycle,
  same_failure: sameFailure,
  generic_repeat: genericRepeat,
  known_poll_no_progress: knownPollNoProgress,
  ping_pong: pingPong,
  global_circuit_breaker: globalCircuitBreaker,
  argument_churn: argumentChurn,
  repeated_reply: repeatedReply,
  failed_check_repeat: failedCheckRepeat,
}

const rank: Readonly<Record<DetectionLevel, number>> = { hopeless: 0, critical: 1, warning: 2 }

/** How one detector is set: by its own name, or as all are. */
export function modeOf(settings: LoopDetectionSettings, detector: DetectorName): RuleMode {
  if (settings.mode === 'off') return 'off'
  const own = settings.detectors[detector] ?? settings.mode
  return settings.mode === 'shadow' && own === 'on' ? 'shadow' : own
}

const none: readonly Detection[] = []

/** What the detectors of one mode say, gravest first. */
export function loopDetections(view: SoftView, mode: Exclude<RuleMode, 'off'>): readonly Detection[] {
  // Asked for every call: nothing is made unless somebody says something.
  let detections: Detection[] | undefined
  for (const name of detectorNames) {
    const detection = modeOf(view.settings, name) === mode ? detectors[name](view) : undefined
    if (detection !== undefined) (detections ??= []).push(sparingHarmless(detection, view))
  }
  if (detections === undefined) return none
  return detections.length < 2
    ? detections
    : detections.toSorted((one, other) => rank[one.level] - rank[other.level])
}

/**
 * A repeated success of a tool that is declared idempotent does no harm: it is not refused before it has come
 * `criticalThreshold` times. A detection that would refuse nothing else becomes a warning.
 */
function sparingHarmless(detection: Detection, { activity, settings }: SoftView): Detection {
  const { level, continuedBy } = detection
  if (level !== 'critical' || typeof continuedBy === 'string' || 'tool' in continuedBy) return detection
  const isHarmless = ({ tool, failure, repeat }: CallRecord) =>
    Object.hasOwn(settings.tools, tool) &&
    settings.tools[tool]?.idempotent === true &&
    failure === null &&
    repeat + 1 < settings.criticalThreshold
  const harmful = continuedBy.filter((key) => {
    const latest = activity.calls.findLast(({ call, callStatus }) => call === key && callStatus === 'ran')
    return latest === undefined || !isHarmless(latest)
  })
  if (harmful.length === continuedBy.length) return detection
  return harmful.length === 0 ? { ...detection, level: 'warning' } : { ...detection, continuedBy: harmful }
}

/**
 * What is to be refused: what the detectors say now, and what they said of one of the calls just before, where those after it
 * were new: a loop is left by `newCallsOutOfLoop` of them in a row, or by a change of the work. Such an earlier detection holds for
 * the calls that it names, and for no others.
 */
export function detectionsToRefuse(view: SoftView): readonly Detection[] {
  const detections = loopDetections(view, 'on').filter(({ level }) => level !== 'warning')
  if (detections.length > 0) return detections
  // A call that was refused and is not known by any outcome says nothing.
  const last = view.activity.calls.findLastIndex(
    ({ callStatus, repeat }) => callStatus !== 'vetoed' || repeat > 0,
  )
  const calls = view.activity.calls.slice(0, last + 1)
  const isAsked = calls.length === view.activity.calls.length
  for (let back = isAsked ? 1 : 0; back < newCallsOutOfLoop; back += 1) {
    const putIn = back > 0 ? calls.at(-back) : undefined
    if (putIn !== undefined && (putIn.repeat !== 0 || mayHaveChanged(putIn))) return none
    if (calls.at(-back - 1)?.repeat === 0) continue
    const activity = { ...view.activity, calls: calls.slice(0, calls.length - back) }
    const earlier = loopDetections({ ...view, activity }, 'on').filter(
      ({ level, continuedBy }) => level !== 'warning' && Array.isArray(continuedBy),
    )
    if (earlier.length > 0) return earlier
  }
  return none
}

/** Undefined where no loop is looked for. */
export function viewOf(state: RunState): SoftView | undefined {
  const settings = state.settings.soft?.loopDetection
  return settings === undefined ? undefined : { activity: state.activity, settings }
}

/** The call would go on with the loop. */
export function continues(
  detection: Detection,
  call: { readonly tool: string; readonly key: string },
): boolean {
  const { continuedBy } = detection
  if (continuedBy === 'any-call') return true
  return 'tool' in continuedBy ? continuedBy.tool === call.tool : continuedBy.includes(call.key)
}
