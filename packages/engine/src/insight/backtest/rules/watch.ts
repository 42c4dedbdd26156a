/** What a rule that watches a run says of it. */
import type { Step } from '../../recordings/index.ts'

/** `warn`: the model is told. `refuse`: this call would not run. `stop`: the run would end. */
export interface Alarm {
  readonly level: 'warn' | 'refuse' | 'stop'
  readonly rule: string
  /** It comes before the call runs, or before the model is asked: its result is not needed, so it is saved as well. */
  readonly before?: boolean
}

/** A rule at work on one run. It never sees how the run ends. */
export interface Watch {
  /** At most one alarm a step: the gravest. */
  observe(step: Step): Alarm | undefined
}

/** Whatever can be asked to watch runs, under a name of its own. */
export interface Watcher {
  readonly name: string
  begin(): Watch
}
