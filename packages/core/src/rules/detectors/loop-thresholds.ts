/** Thresholds among each other: one that can never be reached is a mistake that nobody would notice. */
import type { DetectorName, LoopDetectionSettings } from '../../events/settings/index.ts'
import { keptCalls, keptReplies } from '../../state/activity/index.ts'
import { modeOf } from './loop-detections.ts'
import { windowReplies } from './repeated-reply.ts'

const ofEqualCalls: readonly DetectorName[] = [
  'generic_repeat',
  'known_poll_no_progress',
  'ping_pong',
  'argument_churn',
]

/** Undefined: every threshold of a detector that is not off can be reached, in the order in which it is to be reached. */
export function problemOfThresholds(settings: LoopDetectionSettings): string | undefined {
  const { historySize, warningThreshold, criticalThreshold, globalCircuitBreakerThreshold } = settings
  const isOn = (...names: readonly DetectorName[]) => names.some((name) => modeOf(settings, name) !== 'off')
  if (isOn(...ofEqualCalls) && warningThreshold >= criticalThreshold)
    return `warningThreshold (${warningThreshold}) must be below criticalThreshold (${criticalThreshold}): otherwise a call is refused before the drive is told`
  if (isOn('generic_repeat', 'ping_pong', 'argument_churn') && historySize < criticalThreshold)
    return `criticalThreshold (${criticalThreshold}) can never be reached: historySize (${historySize}) holds fewer calls; raise historySize or lower the threshold`
  const calls = Math.max(keptCalls, historySize)
  // Before calls one more is needed, among as many replies as are looked at there.
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
  // The breaker is the last resort, so it must not come before the others.
  if (
    isOn('global_circuit_breaker') &&
    isOn(...ofEqualCalls) &&
    criticalThreshold >= globalCircuitBreakerThreshold
  )
    return `criticalThreshold (${criticalThreshold}) must be below globalCircuitBreakerThreshold (${globalCircuitBreakerThreshold}): otherwise every call is refused before the equal ones are`
  return problemOfModes(settings) ?? problemOfWarmUp(settings)
}

/** Whoever switches all detectors off and one on means something, and it is not what would happen. */
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
