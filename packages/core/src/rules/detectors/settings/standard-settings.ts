import type { LoopDetectionSettings } from '../../../events/settings/index.ts'

/**
 * What holds where nothing is said. The counts of equal calls are those that the field knows (history 30, warning 10,
 * critical 20, breaker 30); the sharper ones were tuned on recorded runs, see `docs/measured/detectors.md`.
 */
export const standardLoopDetection: LoopDetectionSettings = {
  mode: 'on',
  detectors: {},
  historyCalls: 30,
  warningCalls: 10,
  criticalCalls: 20,
  repeatCounts: 'same-result',
  breakerCalls: 30,
  breakerCounts: 'no-progress',
  warmUpCalls: 5,
  cycleRepeats: 4,
  sameFailures: 4,
  failedCheckRepeats: 8,
  repeatedReplies: 4,
  vetoesUntilEnd: 3,
  tools: {},
}
