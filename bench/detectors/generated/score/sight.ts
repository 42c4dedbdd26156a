/** What one detector said of one run. */
import type { Alarm, Detector, Step } from '../../detector.ts'
import type { GeneratedRun } from '../generated-run.ts'

/** An alarm and where it came. */
export interface Hit {
  readonly rule: string
  /** Units (calls, or replies) that had run by then: without the call at hand where the alarm comes before it. */
  readonly unitsRun: number
}

export interface Sight {
  /** The first `stop`. Nothing is shown to the detector after it. */
  readonly stop: Hit | undefined
  /** The first `refuse` or `stop`. */
  readonly veto: Hit | undefined
  /** Warnings until the stop, in their order. */
  readonly warnings: readonly Hit[]
  readonly refusals: number
  /** Calls that were shown. */
  readonly calls: number
}

export function watch(detector: Detector, run: GeneratedRun): Sight {
  const observer = detector.begin()
  const warnings: Hit[] = []
  let [stop, veto]: [Hit | undefined, Hit | undefined] = [undefined, undefined]
  let [units, calls, refusals] = [0, 0, 0]
  for (const step of run.steps) {
    if (step.kind === run.unit) units += 1
    if (step.kind === 'call') calls += 1
    const alarm = observer.observe(step)
    if (alarm === undefined) continue
    const hit = { rule: alarm.rule, unitsRun: units - unitsSaved(alarm, step, run) }
    if (alarm.level === 'warn') warnings.push(hit)
    else veto ??= hit
    if (alarm.level === 'refuse') refusals += 1
    if (alarm.level === 'stop') {
      stop = hit
      break
    }
  }
  return { stop, veto, warnings, refusals, calls }
}

function unitsSaved({ before = false }: Alarm, step: Step, { unit }: GeneratedRun): number {
  return before && step.kind === 'call' && unit === 'call' ? 1 : 0
}
