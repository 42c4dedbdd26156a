import { scriptedWatcher } from '@donecheck/engine/testing'
import type { Alarm, Detector } from '../detector.ts'

/** A detector that says what it was told to say, for tests. */
export function scriptedDetector(name: string, alarms: Readonly<Record<number, Alarm>>): Detector {
  return { ...scriptedWatcher(name, alarms), readsResults: false }
}
