import { detectorNames, type DetectorName, type LoopDetectionSettings } from '../../events/settings/index.ts'
import type { RunState, Rule } from '../../state/index.ts'
import { newCallsOutOfLoop, type CallRecord, keptCalls, keptReplies } from '../../state/activity/index.ts'
import type { RuleMode } from '../../base/index.ts'
import { argumentChurn, failedCheckRepeat, sameFailure } from './failures.ts'
import { cycle } from './cycle.ts'
import {
  mayHaveChanged,
  type Detector,
  type Detection,
  type DetectionLevel,
  type SoftView,
} from './detection.ts'
import { genericRepeat, globalCircuitBreaker, knownPollNoProgress, pingPong } from './equal-calls.ts'
import { repeatedReply, windowReplies } from './repeated-reply.ts'

/** Findings use these names, which are also file names. */
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

const rank: Readonly<Record<DetectionLevel, number>> = { fatal: 0, critical: 1, warning: 2 }

export function modeOf(settings: LoopDetectionSettings, detector: DetectorName): RuleMode {
  if (settings.mode === 'off') return 'off'
  const own = settings.detectors[detector] ?? settings.mode
  return settings.mode === 'shadow' && own === 'on' ? 'shadow' : own
}

const none: readonly Detection[] = []

/** Most severe first. */
export function loopDetections(view: SoftView, mode: Exclude<RuleMode, 'off'>): readonly Detection[] {
  // Runs for every call, so it allocates only on a detection.
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

/** Repeated success of an idempotent tool is refused only after `criticalThreshold`. */
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
 * What to refuse: current detections, and earlier ones followed only by new calls, because a loop is left
 * after `newCallsOutOfLoop` new calls or a change. Earlier ones apply only to the calls they list.
 */
export function detectionsToRefuse(view: SoftView): readonly Detection[] {
  const detections = loopDetections(view, 'on').filter(({ level }) => level !== 'warning')
  if (detections.length > 0) return detections
  // A refused call without a known outcome says nothing.
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

export function viewOf(state: RunState): SoftView | undefined {
  const settings = state.settings.soft?.loopDetection
  return settings === undefined ? undefined : { activity: state.activity, settings }
}

export function continues(
  detection: Detection,
  call: { readonly tool: string; readonly key: string },
): boolean {
  const { continuedBy } = detection
  if (continuedBy === 'any-call') return true
  return 'tool' in continuedBy ? continuedBy.tool === call.tool : continuedBy.includes(call.key)
}

const ofEqualCalls: readonly DetectorName[] = [
  'generic_repeat',
  'known_poll_no_progress',
  'ping_pong',
  'argument_churn',
]

/** Undefined if every enabled detector can reach its thresholds in order. */
export function problemOfThresholds(settings: LoopDetectionSettings): string | undefined {
  const { historySize, warningThreshold, criticalThreshold, globalCircuitBreakerThreshold } = settings
  const isOn = (...names: readonly DetectorName[]) => names.some((name) => modeOf(settings, name) !== 'off')
  if (isOn(...ofEqualCalls) && warningThreshold >= criticalThreshold)
    return `warningThreshold (${warningThreshold}) must be below criticalThreshold (${criticalThreshold}): otherwise a call is refused before the agent is told`
  if (isOn('generic_repeat', 'ping_pong', 'argument_churn') && historySize < criticalThreshold)
    return `criticalThreshold (${criticalThreshold}) can never be reached: historySize (${historySize}) holds fewer calls; raise historySize or lower the threshold`
  const calls = Math.max(keptCalls, historySize)
  // Before calls one more is needed, among the replies in view.
  const replies = Math.min(keptReplies, windowReplies) - 1
  const bounds = [
    ['cycle', 'cycleRepeats', calls, 'calls'],
    ['same_failure', 'sameFailureThreshold', calls, 'calls'],
    ['repeated_reply', 'repeatedReplyThreshold', replies, 'replies'],
  ] as const
  const over = bounds.find(([name, key, kept]) => isOn(name) && settings[key] > kept)
  if (over !== undefined) {
    const [, key, kept, what] = over
    return `${key} (${settings[key]}) can never be reached: the latest ${kept} ${what} are kept`
  }
  // The breaker is the last resort, so it must not come first.
  if (
    isOn('global_circuit_breaker') &&
    isOn(...ofEqualCalls) &&
    criticalThreshold >= globalCircuitBreakerThreshold
  )
    return `criticalThreshold (${criticalThreshold}) must be below globalCircuitBreakerThreshold (${globalCircuitBreakerThreshold}): otherwise every call is refused before the equal ones are`
  return problemOfModes(settings) ?? problemOfWarmUp(settings)
}

/** Enabling one detector while all are off has no effect, so it is an error. */
function problemOfModes({ mode, detectors }: LoopDetectionSettings): string | undefined {
  const on = Object.entries(detectors).find(([, own]) => own !== 'off')
  if (mode !== 'off' || on === undefined) return undefined
  return `detectors.${on[0]} (${on[1]}) can never fire: mode is off; leave mode out, and switch the other detectors off by their names`
}

function problemOfWarmUp({
  mode,
  warmUpCalls,
  globalCircuitBreakerThreshold: breaker,
}: LoopDetectionSettings) {
  if (mode === 'off' || warmUpCalls <= breaker) return undefined
  return `warmUpCalls (${warmUpCalls}) must not be above globalCircuitBreakerThreshold (${breaker}): until then nothing would be refused, however often it is repeated`
}

/** Ends the run as `permission_denied` if every call of several turns was refused. */
export function refusedCalls(options: { readonly maxTurnsInARow: number } = { maxTurnsInARow: 3 }): Rule {
  return (state) => {
    const { called, refused } = state.tally
    const isJudged = state.phase.kind === 'judging' && state.turnOpen
    if (!isJudged || called > 0 || refused === 0) return undefined
    const turns = state.refusedTurns + 1
    if (turns < options.maxTurnsInARow) return undefined
    return {
      rule: 'refused_calls',
      level: 'stop',
      message: `every tool call of ${turns} turns in a row was refused`,
      numbers: { turns },
      basedOn: [state.sequence],
      stop: { reason: 'permission_denied' },
    }
  }
}
