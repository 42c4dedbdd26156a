/** The simplest detector there is, as a measuring stick for the others. */
import type { Detector } from '../detector.ts'

/** Stops at the same call with the same result `times` times in a row. A result that is not known equals nothing. */
export function sameCallAndResult(times: number): Detector {
  return {
    name: `same call and result ${times} times`,
    readsResults: true,
    begin() {
      let last = ''
      let streak = 0
      return {
        observe(step) {
          if (step.kind !== 'call') return undefined
          const pair = `${step.tool} ${step.argsDigest} ${step.resultDigest ?? ''}`
          streak = step.resultDigest !== null && pair === last ? streak + 1 : 1
          last = pair
          return streak >= times ? { level: 'stop', rule: 'repeat' } : undefined
        },
      }
    },
  }
}
