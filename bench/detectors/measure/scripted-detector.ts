/** A detector that says what it was told to say, for tests. */
import type { Alarm, Detector } from '../detector.ts'

/** `alarms`: by the index of the call at which they come. It is asked nothing after its first stop. */
export function scriptedDetector(name: string, alarms: Readonly<Record<number, Alarm>>): Detector {
  return {
    name,
    readsResults: false,
    begin() {
      let isOver = false
      return {
        observe(step) {
          if (isOver) throw new Error(`the detector '${name}' was shown a step after its stop`)
          if (step.kind !== 'call') return undefined
          const alarm = alarms[step.index]
          isOver = alarm?.level === 'stop'
          return alarm
        },
      }
    },
  }
}
