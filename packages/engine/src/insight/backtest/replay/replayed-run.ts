/** What is kept of a run after every policy went over it: facts for the figures, no texts. */
import { dataSetOf, isCut, type RecordedRun, costsOf, tokensOf, type Step } from '../../recordings/index.ts'
import type { Watcher } from '../rules/watch.ts'

export interface ReplayedRun {
  readonly id: string
  readonly dataSet: string
  /** It reached its goal, as its record says. Null: nobody knows. */
  readonly resolved: boolean | null
  /** A bound ended the record: what would have come after is not known. */
  readonly isCut: boolean
  readonly turns: number
  readonly calls: number
  readonly steps: number
  /** Prompt and output of each turn; undefined: the source does not say it for every turn. */
  readonly tokensByTurn: readonly number[] | undefined
  /** Dollars; undefined: nobody knows. */
  readonly costsByTurn: readonly number[] | undefined
  /** By the name of the policy. */
  readonly replays: ReadonlyMap<string, Replay>
}

/** `steps`: those of the run. */
export function replayRun(
  run: RecordedRun,
  steps: readonly Step[],
  watchers: readonly Watcher[],
): ReplayedRun {
  const costs = costsOf(run)
  return {
    id: run.id,
    dataSet: dataSetOf(run),
    resolved: run.outcome.resolved,
    isCut: isCut(run),
    turns: run.turns.length,
    calls: steps.filter(({ kind }) => kind === 'call').length,
    steps: steps.length,
    tokensByTurn: tokensOf(run.turns),
    costsByTurn: costs.length === 0 ? undefined : costs,
    replays: new Map(watchers.map((watcher) => [watcher.name, replay(watcher, steps)])),
  }
}

/** @throws TypeError the run was not replayed with that policy */
export function replayOf({ replays }: ReplayedRun, policy: string): Replay {
  const found = replays.get(policy)
  if (found === undefined) throw new TypeError(`the runs were not replayed with '${policy}'`)
  return found
}

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
