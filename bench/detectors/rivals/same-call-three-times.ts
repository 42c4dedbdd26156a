/**
 * Detectors that stop at three equal calls in a row, without a look at results: what a first own guard looks like, and
 * what Roo does. Keys of arguments are compared without regard to their order.
 */
import type { Detector } from '../detector.ts'
import { equalRun } from './equal-run.ts'
import { callKey } from './outcome.ts'

/** The plain guard: the run ends before the third call. A message to the agent begins a new count. */
export const sameCallThreeTimes: Detector = equalCalls('same call three times', 'stop')

/**
 * Roo, "identical 3": the third call is not run and its user is asked. Left open by the description, chosen here: the
 * count goes on after the question, and a message to the agent begins a new one.
 */
export const roo: Detector = equalCalls('Roo', 'refuse')

function equalCalls(name: string, level: 'stop' | 'refuse'): Detector {
  return {
    name,
    readsResults: false,
    begin() {
      const run = equalRun()
      return {
        observe(step) {
          if (step.kind === 'message') run.reset()
          if (step.kind !== 'call' || run.next(callKey(step)) < 3) return undefined
          return { level, rule: 'identical', before: true }
        },
      }
    },
  }
}
