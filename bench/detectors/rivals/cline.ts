/**
 * cline 3.0 (SDK 0.0.78): the same call, keys sorted, three times in a row is a soft limit (a note to the model), five
 * times the hard one (the run stops). Results are not read. Left open by the description, chosen here: a message to the
 * agent begins a new count; both limits act before the call runs.
 */
import type { Alarm, CallStep, Detector } from '../detector.ts'
import { equalRun } from './equal-run.ts'
import { callKey, hasFailed } from './outcome.ts'

const softLimit = 3
const hardLimit = 5

/** Its mistakes in a row before `onLimitReached`. The description names no number; three is the chosen one. */
const mistakeLimit = 3

/** Repeats only: what the tables in print call cline. */
export const cline: Detector = clineWith('cline', { countsMistakes: false })

/**
 * With its mistake tracker: failed calls in a row, whatever they are. What happens at the limit is the host's to say
 * (`onLimitReached`); here the run ends, as where nobody is there to answer.
 */
export const clineWithMistakes: Detector = clineWith('cline (mistakes too)', { countsMistakes: true })

function clineWith(name: string, { countsMistakes }: { countsMistakes: boolean }): Detector {
  return {
    name,
    readsResults: countsMistakes,
    begin() {
      const repeats = equalRun()
      let mistakes = 0
      return {
        observe(step) {
          if (step.kind === 'message') {
            repeats.reset()
            mistakes = 0
          }
          if (step.kind !== 'call') return undefined
          const repeat = repeatAlarm(repeats.next(callKey(step)))
          mistakes = countsMistakes ? mistakesAfter(step, mistakes) : 0
          if (repeat?.level === 'stop' || mistakes < mistakeLimit) return repeat
          return { level: 'stop', rule: 'mistakes' }
        },
      }
    },
  }
}

function mistakesAfter(step: CallStep, before: number): number {
  return hasFailed(step) ? before + 1 : 0
}

function repeatAlarm(count: number): Alarm | undefined {
  if (count >= hardLimit) return { level: 'stop', rule: 'identical', before: true }
  return count === softLimit ? { level: 'warn', rule: 'identical', before: true } : undefined
}
