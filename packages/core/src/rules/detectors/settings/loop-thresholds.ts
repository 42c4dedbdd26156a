/** Thresholds among each other: one that can never be reached is a mistake that nobody would notice. */
import type { DetectorName, LoopDetectionSettings } from '../../../events/settings/index.ts'
import { keptCalls, keptReplies } from '../../../state/activity/index.ts'
import { modeOf } from '../loop-detections.ts'
import { windowReplies } from '../repeated-reply.ts'

/** Records of calls that are kept for a run at most, so that its memory stays below 64 KB. */
export const maxHistory = 150

interface Demand {
  /** It matters only where one of these is not off. */
  readonly detectors: readonly DetectorName[]
  /** What is wrong; undefined: nothing. */
  readonly problem: (settings: LoopDetectionSettings) => string | undefined
}

const ofEqualCalls: readonly DetectorName[] = [
  'generic_repeat',
  'known_poll_no_progress',
  'ping_pong',
  'argument_churn',
]

const demands: readonly Demand[] = [
  {
    detectors: ofEqualCalls,
    problem: ({ warningCalls, criticalCalls }) =>
      warningCalls < criticalCalls
        ? undefined
        : `warningThreshold (${warningCalls}) must be below criticalThreshold (${criticalCalls}): otherwise a call is refused before the drive is told`,
  },
  {
    detectors: ['generic_repeat', 'ping_pong', 'argument_churn'],
    problem: ({ historyCalls, criticalCalls }) =>
      historyCalls >= criticalCalls
        ? undefined
        : `criticalThreshold (${criticalCalls}) can never be reached: historySize (${historyCalls}) holds fewer calls; raise historySize or lower the threshold`,
  },
  {
    detectors: ['cycle'],
    problem: ({ historyCalls, cycleRepeats }) =>
      problemOfKept('cycleRepeats', cycleRepeats, Math.max(keptCalls, historyCalls), 'calls'),
  },
  {
    detectors: ['same_failure'],
    problem: ({ historyCalls, sameFailures }) =>
      problemOfKept('sameFailureThreshold', sameFailures, Math.max(keptCalls, historyCalls), 'calls'),
  },
  {
    detectors: ['repeated_reply'],
    // Before calls one more is needed, among as many replies as are looked at there.
    problem: ({ repeatedReplies }) =>
      problemOfKept(
        'repeatedReplyThreshold',
        repeatedReplies,
        Math.min(keptReplies, windowReplies) - 1,
        'replies',
      ),
  },
]

function problemOfKept(name: string, value: number, kept: number, what: string): string | undefined {
  return value <= kept
    ? undefined
    : `${name} (${value}) can never be reached: the latest ${kept} ${what} are kept`
}

/** Undefined: every threshold of a detector that is not off can be reached, in the order in which it is to be reached. */
export function problemOfThresholds(settings: LoopDetectionSettings): string | undefined {
  if (settings.historyCalls > maxHistory)
    return `historySize (${settings.historyCalls}) must not be above ${maxHistory}: what is kept of a run has to stay small`
  const isOn = (name: DetectorName) => modeOf(settings, name) !== 'off'
  for (const { detectors, problem } of demands) {
    const found = detectors.some(isOn) ? problem(settings) : undefined
    if (found !== undefined) return found
  }
  return problemOfModes(settings) ?? problemOfWarmUp(settings) ?? problemOfBreaker(settings, isOn)
}

/** Whoever switches all detectors off and one on means something, and it is not what would happen. */
function problemOfModes({ mode, detectors }: LoopDetectionSettings): string | undefined {
  const on = Object.entries(detectors).find(([, own]) => own !== 'off')
  if (mode !== 'off' || on === undefined) return undefined
  return `detectors.${on[0]} (${on[1]}) can never fire: mode is off; leave mode out, and switch the other detectors off by their names`
}

function problemOfWarmUp({ mode, warmUpCalls, breakerCalls }: LoopDetectionSettings): string | undefined {
  if (mode === 'off' || warmUpCalls <= breakerCalls) return undefined
  return `warmUpCalls (${warmUpCalls}) must not be above globalCircuitBreakerThreshold (${breakerCalls}): until then nothing would be refused, however often it is repeated`
}

/** It is the last resort, so it must not come before the others. */
function problemOfBreaker(
  { criticalCalls, breakerCalls }: LoopDetectionSettings,
  isOn: (name: DetectorName) => boolean,
): string | undefined {
  if (!isOn('global_circuit_breaker') || !ofEqualCalls.some(isOn) || criticalCalls < breakerCalls)
    return undefined
  return `criticalThreshold (${criticalCalls}) must be below globalCircuitBreakerThreshold (${breakerCalls}): otherwise every call is refused before the equal ones are`
}
