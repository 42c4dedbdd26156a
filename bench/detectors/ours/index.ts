/**
 * Our detectors: ended at the first verdict, as the rivals are measured at their first hit; by default, where a loop is told
 * and refused before it ends a run; and each alone, at its first verdict.
 */
import {
  standardLoopDetection,
  detectorNames,
  type DetectorName,
  type LoopDetectionSettings,
} from '@donecheck/core/settings'
import { digestStep, loopWatch } from '@donecheck/engine/backtest'
import type { Detector } from '../detector.ts'

export const ours: readonly Detector[] = [
  ourDetector('donecheck', { ...standardLoopDetection, vetoesUntilEnd: 0 }),
  ourDetector('donecheck (by default: told, refused, ended)', standardLoopDetection),
  ...detectorNames.map((name) => ourDetector(`donecheck: ${name}`, alone(name))),
]

function ourDetector(name: string, settings: LoopDetectionSettings): Detector {
  return { name, readsResults: true, begin: () => loopWatch(settings), digest: digestStep }
}

function alone(name: DetectorName): LoopDetectionSettings {
  const off = Object.fromEntries(
    detectorNames.filter((other) => other !== name).map((other) => [other, 'off' as const]),
  )
  return { ...standardLoopDetection, vetoesUntilEnd: 0, detectors: off }
}
