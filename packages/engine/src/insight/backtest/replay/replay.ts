/** One rule, or one policy of many, over one recorded run. */
import type { Step } from '../../recordings/index.ts'
import type { Watcher } from '../rules/watch.ts'

/** The first alarm of a level: what would have ended the run there. */
export interface End {
  readonly rule: string
  /** Calls that ran until then: those that were refused did not. */
  readonly callsRun: number
  /** The last turn whose tokens were spent: that of the alarm, or the one before it. -1: none. */
  readonly turn: number
  /** Index of the call at which the alarm came: the last one seen. */
  readonly atCall: number
}

export interface Replay {
  /** The first `stop`. */
  readonly stop: End | undefined
  /** The first `refuse` or `stop`, whichever came first. */
  readonly veto: End | undefined
  /** `warn` alarms until the first stop, by rule. */
  readonly warnings: ReadonlyMap<string, number>
  /** `refuse` alarms until the first stop, by rule. */
  readonly refusals: ReadonlyMap<string, number>
}

/** Nothing is shown after the first stop. After a refusal it is: the recording goes on, as if the call had run. */
export function replay(watcher: Watcher, steps: readonly Step[]): Replay {
  const watch = watcher.begin()
  const counts = { warn: new Map<string, number>(), refuse: new Map<string, number>() }
  let veto: End | undefined
  let [callsSeen, callsRefused] = [0, 0]
  for (const step of steps) {
    if (step.kind === 'call') callsSeen += 1
    const alarm = watch.observe(step)
    if (alarm === undefined) continue
    const { level, rule, before = false } = alarm
    const isBeforeCall = step.kind === 'call' && before
    const callsRun = callsSeen - callsRefused - (isBeforeCall ? 1 : 0)
    const turn = step.kind === 'reply' && before ? step.turn - 1 : step.turn
    const end: End = { rule, callsRun, turn, atCall: callsSeen - 1 }
    if (level !== 'warn') veto ??= end
    if (level === 'stop') return { stop: end, veto, warnings: counts.warn, refusals: counts.refuse }
    if (level === 'refuse') callsRefused += 1
    counts[level].set(rule, (counts[level].get(rule) ?? 0) + 1)
  }
  return { stop: undefined, veto, warnings: counts.warn, refusals: counts.refuse }
}
