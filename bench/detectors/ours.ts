/** Our detectors: ended at the first verdict, as others are measured at their first hit; and by default. */
import { standardLoopDetection, type LoopDetectionSettings } from '@donecheck/core/settings'
import { digestStep, loopWatch } from '@donecheck/engine/backtest'
import type { Detector } from './detector.ts'

export const ours: readonly Detector[] = [
  ourDetector('donecheck', { ...standardLoopDetection, vetoesUntilEnd: 0 }),
  ourDetector('donecheck (by default: told, refused, ended)', standardLoopDetection),
]

function ourDetector(name: string, settings: LoopDetectionSettings): Detector {
  return { name, begin: () => loopWatch(settings), digest: digestStep }
}
