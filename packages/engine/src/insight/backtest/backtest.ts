import { type Bound, capTable } from '@donecheck/core/internal/budgets'
import { policyFigures, type PolicyFigures } from './figures.ts'
import { unheldBounds } from './watches.ts'
import { isOracleStopped, type RecordedRun, type Step, stepsOf } from '../recordings/index.ts'
import { type End, ignoredBounds, type ReplayedRun, replayRun, type StopPolicy, watcherOf } from './replay.ts'

export interface PolicyReport extends Omit<PolicyFigures, 'kills'> {
  readonly name: string
  readonly lost: readonly (Pick<End, 'rule' | 'callsRun'> &
    Pick<RecordedRun, 'id'> & { readonly calls: number })[]
  /** Number of runs by cap whose record does not contain what the cap limits. */
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

/** Collects runs one at a time, so that their texts can be freed. */
export class Backtest {
  readonly #policies: readonly StopPolicy[]
  readonly #watchers
  readonly #runs: Replayed[] = []

  /** @throws {TypeError} if two policies have the same name */
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
