/** Detectors for tests: they say what they are told to say. */
import type { Alarm, CallStep, Detector, Step } from '../../detector.ts'

/** Raises the alarm at the step of this number, counted from 0 over all steps. */
export function alarmsAt(alarms: Readonly<Record<number, Alarm>>): Detector {
  const begin = () => {
    let seen = -1
    return {
      observe() {
        seen += 1
        return alarms[seen]
      },
    }
  }
  return { name: 'scripted', begin }
}

/** Stops at the fifth equal call with an equal result in a row. */
export const fiveInARow: Detector = {
  name: 'five in a row',

  begin() {
    let [last, run] = ['', 0]
    const keyOf = ({ tool, argsDigest, resultDigest }: CallStep) =>
      `${tool} ${argsDigest} ${resultDigest ?? ''}`
    return {
      observe(step: Step): Alarm | undefined {
        if (step.kind !== 'call') return undefined
        run = keyOf(step) === last ? run + 1 : 1
        last = keyOf(step)
        return run === 5 ? { level: 'stop', rule: 'five' } : undefined
      },
    }
  },
}

/** Says nothing. */
export const silent: Detector = {
  name: 'silent',
  begin: () => ({ observe: () => undefined }),
}
