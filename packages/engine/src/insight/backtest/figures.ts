/** Ratios are from 0 to 1, and undefined if there is nothing to divide by. */
import { type Interval, wilsonInterval } from '../../base/index.ts'
import { type End, type ReplayedRun, replayOf } from './replay.ts'

/** A run that reached its goal, and that the policy would have ended before. */
export interface Kill<Run extends ReplayedRun = ReplayedRun> {
  readonly run: Run
  readonly end: End
}

export interface Saving {
  readonly runs: number
  readonly saved: number
  readonly total: number
  readonly share: number | undefined
}

export interface PolicyFigures<Run extends ReplayedRun = ReplayedRun> {
  readonly resolved: number
  readonly kills: readonly Kill<Run>[]
  readonly killedInterval: Interval
  readonly unresolved: number
  readonly ended: number
  /** Median number of executed calls in the unresolved runs that were ended. */
  readonly callsUntilEnd: number | undefined
  /** Calls of unresolved runs after the end, and refused ones of runs that were not ended. */
  readonly calls: Saving
  /** For agents that do not report calls, this is the only measure. */
  readonly turns: Saving
  readonly tokens: Saving
  readonly dollars: Saving
  readonly endsByRule: Readonly<Record<string, number>>
  /** Runs whose record a limit cut, and that the policy would have continued: their outcome is unknown. */
  readonly unknownAfterEnd: number
  /** In resolved runs until their end, per 1,000 calls. */
  readonly warningsPerThousandCalls: number | undefined
  readonly refusalsPerThousandCalls: number | undefined
}

/** @throws {TypeError} if the runs were not replayed with that policy */
export function policyFigures<Run extends ReplayedRun>(
  runs: readonly Run[],
  policy: string,
): PolicyFigures<Run> {
  const endOf = (run: Run) => replayOf(run, policy).stop
  const resolved = runs.filter((run) => run.resolved === true)
  const unresolved = runs.filter((run) => run.resolved === false)
  const ends = unresolved.flatMap((run) => endOf(run) ?? [])
  const kills = resolved.flatMap((run) => {
    const end = endOf(run)
    return end === undefined ? [] : [{ run, end }]
  })
  const saving = (known: readonly Run[], part: (run: Run) => RatioPart) => savingOf(known.map(part))
  const tokensTold = unresolved.filter(({ tokensByTurn }) => tokensByTurn !== undefined)
  const dollarsTold = unresolved.filter(({ costsByTurn }) => costsByTurn !== undefined)
  return {
    resolved: resolved.length,
    kills,
    killedInterval: wilsonInterval(kills.length, resolved.length),
    unresolved: unresolved.length,
    ended: ends.length,
    callsUntilEnd: medianOf(ends.map(({ callsRun }) => callsRun)),
    calls: saving(unresolved, (run) => ({ part: notRun(run, policy), whole: run.calls })),
    turns: saving(unresolved, (run) => afterEnd(Array<number>(run.turns).fill(1), endOf(run))),
    tokens: saving(tokensTold, (run) => afterEnd(run.tokensByTurn ?? [], endOf(run))),
    dollars: saving(dollarsTold, (run) => afterEnd(run.costsByTurn ?? [], endOf(run))),
    endsByRule: countsOf(runs.flatMap((run) => endOf(run)?.rule ?? [])),
    unknownAfterEnd: runs.filter((run) => run.isCut && run.resolved !== true && endOf(run) === undefined)
      .length,
    ...findingRates(resolved, policy),
  }
}

function findingRates(resolved: readonly ReplayedRun[], policy: string) {
  const found = (kind: 'warnings' | 'refusals') =>
    1000 * sum(resolved, (run) => sumOfCounts(replayOf(run, policy)[kind]))
  const calls = sum(resolved, (run) => run.calls)
  return {
    warningsPerThousandCalls: share(found('warnings'), calls),
    refusalsPerThousandCalls: share(found('refusals'), calls),
  }
}

interface RatioPart {
  readonly part: number
  readonly whole: number
}

function savingOf(parts: readonly RatioPart[]): Saving {
  const [saved, total] = [sum(parts, ({ part }) => part), sum(parts, ({ whole }) => whole)]
  return { runs: parts.length, saved, total, share: share(saved, total) }
}

/** A run that was not ended saves only its refused calls; refusals before an end are in its calls already. */
function notRun(run: ReplayedRun, policy: string): number {
  const { stop, refusals } = replayOf(run, policy)
  return stop === undefined ? sumOfCounts(refusals) : run.calls - stop.callsRun
}

function afterEnd(byTurn: readonly number[], end: End | undefined): RatioPart {
  const whole = sum(byTurn, (each) => each)
  return { whole, part: end === undefined ? 0 : sum(byTurn.slice(end.turn + 1), (each) => each) }
}

function sumOfCounts(counts: ReadonlyMap<string, number>): number {
  return sum([...counts.values()], (count) => count)
}

function countsOf(rules: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const rule of rules) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  return Object.fromEntries([...counts].toSorted(([, one], [, other]) => other - one))
}

/** The upper middle value if the count is even; undefined for an empty list. */
export function medianOf(numbers: readonly number[]): number | undefined {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)]
}

function sum<Item>(items: readonly Item[], numberOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + numberOf(item), 0)
}

function share(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole
}
