/** How a detector does on one class of runs. */
import { medianOf } from '@donecheck/engine/backtest'
import type { Detector } from '../../detector.ts'
import type { BenignClass, Demand, GeneratedClass, GeneratedRun, LoopClass } from '../generated-run.ts'
import { watch, type Hit, type Sight } from './sight.ts'

export interface LoopScore {
  readonly kind: 'loop'
  readonly name: string
  readonly demand: Demand
  readonly runs: number
  /**
   * Ended within three repetitions: the first round is round 1, and the end comes no later than the last unit of the third
   * repetition after it, so of round 4. Without insertions that is unit `onset + 4 · period − 1`. Where a run has no rounds
   * of its own (demand `ever`), a call is a round, and few can be ended so soon.
   */
  readonly withinThree: number
  /** Stricter: no later than the last unit of round 3. */
  readonly withinThirdLap: number
  /** Ended at all. */
  readonly ever: number
  /** Ended before the first round was over: a false stop, counted nowhere above. */
  readonly early: number
  /** As `withinThree`, and as `ever`, where a refusal counts as well. */
  readonly vetoedWithinThree: number
  readonly vetoedEver: number
  /** At least one warning, refusal or stop after the first round. */
  readonly noticed: number
  /** Units from the first of the loop to the end, of the runs that were ended in time or later; the median. */
  readonly delay: number | undefined
  /** Rules that ended runs, and how many. */
  readonly rules: ReadonlyMap<string, number>
}

export interface BenignScore {
  readonly kind: 'benign'
  readonly name: string
  readonly runs: number
  /** Runs ended: each is a false kill. */
  readonly stopped: number
  /** Runs ended, or with a call refused. */
  readonly vetoed: number
  /** Runs with a warning. */
  readonly warned: number
  readonly warnings: number
  /** Calls that were shown. */
  readonly calls: number
  /** Rules that warned, refused or ended, and in how many runs. */
  readonly rules: ReadonlyMap<string, number>
}

export type ClassScore = LoopScore | BenignScore

export function scoreOf(detector: Detector, of: GeneratedClass, runs: readonly GeneratedRun[]): ClassScore {
  const seen = runs.map((run) => ({ run, sight: watch(detector, run) }))
  return of.kind === 'loop' ? loopScore(of, seen) : benignScore(of, seen)
}

interface Seen {
  readonly run: GeneratedRun
  readonly sight: Sight
}

function loopScore({ name, demand }: LoopClass, seen: readonly Seen[]): LoopScore {
  const count = (test: (one: Seen) => boolean) => seen.filter(test).length
  const delays = seen.flatMap(({ run, sight }) =>
    isCaught(sight.stop, run) ? [sight.stop.unitsRun - run.onset] : [],
  )
  return {
    kind: 'loop',
    name,
    demand,
    runs: seen.length,
    withinThree: count(({ run, sight }) => isBy(4, sight.stop, run)),
    withinThirdLap: count(({ run, sight }) => isBy(3, sight.stop, run)),
    ever: count(({ run, sight }) => isCaught(sight.stop, run)),
    early: count(({ run, sight }) => sight.stop !== undefined && !isCaught(sight.stop, run)),
    vetoedWithinThree: count(({ run, sight }) => isBy(4, sight.veto, run)),
    vetoedEver: count(({ run, sight }) => isCaught(sight.veto, run)),
    noticed: count(({ run, sight }) =>
      [sight.stop, sight.veto, ...sight.warnings].some((hit) => isCaught(hit, run)),
    ),
    delay: medianOf(delays),
    rules: tally(seen.flatMap(({ sight }) => (sight.stop === undefined ? [] : [sight.stop.rule]))),
  }
}

function benignScore({ name }: BenignClass, seen: readonly Seen[]): BenignScore {
  const sights = seen.map(({ sight }) => sight)
  const sum = (of: (sight: Sight) => number) => sights.reduce((total, sight) => total + of(sight), 0)
  return {
    kind: 'benign',
    name,
    runs: sights.length,
    stopped: sights.filter(({ stop }) => stop !== undefined).length,
    vetoed: sights.filter(({ veto }) => veto !== undefined).length,
    warned: sights.filter(({ warnings }) => warnings.length > 0).length,
    warnings: sum(({ warnings }) => warnings.length),
    calls: sum(({ calls }) => calls),
    rules: tally(
      sights.flatMap(({ warnings, veto, stop }) => [...new Set(rulesOf(...warnings, veto, stop))]),
    ),
  }
}

const rulesOf = (...hits: readonly (Hit | undefined)[]) =>
  hits.flatMap((hit) => (hit === undefined ? [] : [hit.rule]))

/** Once the first round has run: before that nothing has come back, and who stops then stops by chance. */
function isCaught(hit: Hit | undefined, { roundEnds }: GeneratedRun): hit is Hit {
  return hit !== undefined && hit.unitsRun >= (roundEnds[0] ?? Infinity)
}

function isBy(round: number, hit: Hit | undefined, run: GeneratedRun): boolean {
  return isCaught(hit, run) && hit.unitsRun <= (run.roundEnds[round - 1] ?? 0)
}

function tally(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
