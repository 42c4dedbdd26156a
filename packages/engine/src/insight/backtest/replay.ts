import { type Bound, bounds, type Caps, capTable } from '@donecheck/core/budgets'
import type { SoftSettings, TokenBudgetSettings } from '@donecheck/core/settings'
import { tokenBudgetStep } from '@donecheck/core/soft-verifiers'
import { newTracker } from '@donecheck/core/state'
import { policyFigures, type PolicyFigures } from './figures.ts'
import {
  type Alarm,
  capWatch,
  loopWatch,
  replayedBounds,
  stagnationWatch,
  unheldBounds,
  type Watch,
  type Watcher,
} from './watches.ts'
import {
  costsOf,
  dataSetOf,
  isCut,
  isOracleStopped,
  type RecordedRun,
  type ReplyStep,
  type Step,
  stepsOf,
  tokensOf,
} from '../recordings/index.ts'

export interface StopPolicy {
  readonly name: string
  readonly caps: Caps
  readonly soft: SoftSettings
}

/** The gravest alarm of a step; of equally grave ones a cap's, then a detector's, as a run orders its stops. */
export function watcherOf({ name, caps, soft }: StopPolicy): Watcher {
  const { loopDetection, stagnation, tokenBudget } = soft
  return {
    name,
    begin: () =>
      allOf([
        capWatch(caps),
        ...(loopDetection.mode === 'on' || Object.values(loopDetection.detectors).includes('on')
          ? [loopWatch(loopDetection)]
          : []),
        ...(stagnation.mode === 'on' ? [stagnationWatch(stagnation)] : []),
        ...(tokenBudget?.mode === 'on' ? [tokenBudgetWatch(tokenBudget)] : []),
      ]),
  }
}

const gravity: Readonly<Record<Alarm['level'], number>> = { warn: 1, refuse: 2, stop: 3 }

function allOf(watches: readonly Watch[]): Watch {
  return {
    observe(step) {
      let gravest: Alarm | undefined
      for (const watch of watches) {
        const alarm = watch.observe(step)
        if (alarm !== undefined && (gravest === undefined || gravity[alarm.level] > gravity[gravest.level]))
          gravest = alarm
      }
      return gravest
    },
  }
}

function ignoredBounds({ caps }: StopPolicy): readonly Bound[] {
  return bounds.filter((bound) => !replayedBounds.includes(bound) && caps[capTable[bound].field] !== null)
}

/**
 * Asked where the drive ended a turn by itself and was sent on. Whether it would have been sent on where its run ended, nobody
 * knows. Says nothing from the first turn on whose output tokens are not known.
 */
export function tokenBudgetWatch(settings: TokenBudgetSettings): Watch {
  let tracker = newTracker(0)
  let outputTokens = 0
  let before: ReplyStep | undefined
  return {
    observe(step) {
      if (step.kind !== 'reply') return undefined
      const claim = before?.calls === 0 && Number.isFinite(outputTokens)
      const input = { budgetTokens: settings.budgetTokens, turnTokens: outputTokens, nowMs: 0 }
      const asked = claim ? tokenBudgetStep(tracker, input, settings) : undefined
      tracker = asked?.tracker ?? tracker
      before = step
      outputTokens += step.usage?.outputTokens ?? Number.NaN
      const { decision } = asked ?? {}
      const isEnd = decision?.kind === 'stop' && decision.completion?.isDiminishing === true
      return isEnd && hasOpenChecks(step) ? { level: 'stop', rule: 'token_budget', before: true } : undefined
    },
  }
}

function hasOpenChecks({ checked }: ReplyStep): boolean {
  return checked?.verdicts.some(({ status }) => status === 'failed' || status === 'error') ?? false
}

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
  readonly replays: ReadonlyMap<string, Replay>
}

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
  readonly stop: End | undefined
  readonly veto: End | undefined
  readonly warnings: ReadonlyMap<string, number>
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

export interface PolicyReport extends Omit<PolicyFigures, 'kills'> {
  readonly name: string
  readonly lost: readonly (Pick<End, 'rule' | 'callsRun'> &
    Pick<RecordedRun, 'id'> & { readonly calls: number })[]
  /** Caps by name, with the runs whose record does not tell what they used. */
  readonly unheld: Readonly<Record<string, number>>
  readonly ignored: readonly string[]
}

export interface BacktestReport {
  readonly counts: RunCounts
  readonly policies: readonly PolicyReport[]
  readonly sets: Readonly<Record<string, { counts: RunCounts; policies: readonly PolicyReport[] }>>
}

interface Replayed extends ReplayedRun {
  readonly isOracleStopped: boolean
  readonly unheld: ReadonlyMap<string, readonly Bound[]>
}

/** Collects runs one by one, so that their texts need not be kept. */
export class Backtest {
  readonly #policies: readonly StopPolicy[]
  readonly #watchers
  readonly #runs: Replayed[] = []

  /** @throws TypeError two policies have the same name */
  constructor(policies: readonly StopPolicy[]) {
    const twice = policies.find(
      ({ name }, place) => policies.findIndex((other) => other.name === name) !== place,
    )
    if (twice !== undefined) throw new TypeError(`two policies are called "${twice.name}"`)
    this.#policies = policies
    this.#watchers = policies.map(watcherOf)
  }

  add(run: RecordedRun, steps: readonly Step[] = stepsOf(run)): void {
    this.#runs.push({
      ...replayRun(run, steps, this.#watchers),
      isOracleStopped: isOracleStopped(run),
      unheld: new Map(this.#policies.map(({ name, caps }) => [name, unheldBounds(caps, steps)])),
    })
  }

  report(): BacktestReport {
    const sets = [...new Set(this.#runs.map(({ dataSet }) => dataSet))].sort()
    const of = (runs: readonly Replayed[]) => ({ counts: countsOf(runs), policies: this.#reportOn(runs) })
    const bySet = sets.map((set) => [set, of(this.#runs.filter(({ dataSet }) => dataSet === set))] as const)
    return { ...of(this.#runs), sets: Object.fromEntries(bySet) }
  }

  #reportOn(runs: readonly Replayed[]): readonly PolicyReport[] {
    return this.#policies.map((policy) => {
      const { kills, ...figures } = policyFigures(runs, policy.name)
      const lost = kills.map(({ run: { id, calls }, end: { rule, callsRun } }) => {
        return { id, rule, callsRun, calls }
      })
      const ignored = ignoredBounds(policy).map((bound) => capTable[bound].cap)
      return { name: policy.name, ...figures, lost, unheld: unheldIn(runs, policy.name), ignored }
    })
  }
}

function countsOf(runs: readonly Replayed[]) {
  const count = (is: (run: Replayed) => boolean) => runs.filter(is).length
  return {
    runs: runs.length,
    resolved: count(({ resolved }) => resolved === true),
    unresolved: count(({ resolved }) => resolved === false),
    unknown: count(({ resolved }) => resolved === null),
    calls: runs.reduce((sum, { calls }) => sum + calls, 0),
    cut: count(({ isCut }) => isCut),
    /** Their environment ended them at the goal, which no drive can know of. */
    oracleStopped: count((run) => run.isOracleStopped),
  }
}

export type RunCounts = Readonly<ReturnType<typeof countsOf>>

function unheldIn(runs: readonly Replayed[], policy: string): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { unheld } of runs)
    for (const bound of unheld.get(policy) ?? []) {
      const { cap } = capTable[bound]
      counts[cap] = (counts[cap] ?? 0) + 1
    }
  return counts
}
