/** How detectors do on the generated classes: what they end, what they leave alone. */
import type { Alarm, Detector, GeneratedClass, GeneratedRun, Step } from './generated-run.ts'
import { generatedClasses, seedsOf, type Half } from './classes.ts'
import { markdownTable, percent } from '../markdown.ts'

/** What one detector said of one run; units are calls, or replies where the pattern is in the text alone. */
interface Sight {
  /** Units that had run by the first `stop`, after which nothing is shown; undefined: there was none. */
  readonly stop: number | undefined
  /** By the first `refuse` or `stop`. */
  readonly veto: number | undefined
  readonly warnings: number
  /** Calls that were shown. */
  readonly calls: number
}

function watch(detector: Detector, run: GeneratedRun): Sight {
  const observer = detector.begin()
  let [stop, veto]: [number | undefined, number | undefined] = [undefined, undefined]
  let [units, calls, warnings] = [0, 0, 0]
  for (const step of run.steps) {
    if (step.kind === run.unit) units += 1
    if (step.kind === 'call') calls += 1
    const alarm = observer.observe(step)
    if (alarm === undefined) continue
    const unitsRun = units - unitsSaved(alarm, step, run)
    if (alarm.level === 'warn') warnings += 1
    else veto ??= unitsRun
    if (alarm.level !== 'stop') continue
    stop = unitsRun
    break
  }
  return { stop, veto, warnings, calls }
}

function unitsSaved({ before = false }: Alarm, step: Step, { unit }: GeneratedRun): number {
  return before && step.kind === 'call' && unit === 'call' ? 1 : 0
}

/** Runs, or warnings and calls, that were counted. */
export interface Score {
  readonly loops: number
  readonly roundLoops: number
  /** Of the loops with rounds: ended no later than with the third repetition after the first round, so in round 4. */
  readonly withinThree: number
  readonly ever: number
  /** Ended, or with a call refused. */
  readonly vetoedEver: number
  /** Ended before the first round was over: a false stop, counted nowhere above. */
  readonly early: number
  readonly benign: number
  /** Each is a false stop. */
  readonly stopped: number
  readonly vetoed: number
  readonly warned: number
  readonly warnings: number
  readonly calls: number
}

const nothing: Score = {
  loops: 0,
  roundLoops: 0,
  withinThree: 0,
  ever: 0,
  vetoedEver: 0,
  early: 0,
  benign: 0,
  stopped: 0,
  vetoed: 0,
  warned: 0,
  warnings: 0,
  calls: 0,
}

/** Runs are made once and shown to every detector. */
export function scoresOf(
  detectors: readonly Detector[],
  half: Half,
  variants = 50,
  classes: readonly GeneratedClass[] = generatedClasses,
): ReadonlyMap<string, Score> {
  const scores = new Map(detectors.map(({ name }) => [name, nothing]))
  for (const generated of classes)
    for (const seed of seedsOf(half, variants)) {
      const run = generated.make(seed)
      for (const detector of detectors)
        scores.set(detector.name, withRun(scores.get(detector.name) ?? nothing, generated, run, detector))
    }
  return scores
}

function withRun(score: Score, of: GeneratedClass, run: GeneratedRun, detector: Detector): Score {
  const sight = watch(detector, run)
  const one = (test: boolean) => (test ? 1 : 0)
  const { stop, veto, warnings, calls } = sight
  if (of.kind === 'loop') {
    const hasRounds = of.demand === 'laps'
    return {
      ...score,
      loops: score.loops + 1,
      roundLoops: score.roundLoops + one(hasRounds),
      withinThree: score.withinThree + one(hasRounds && isCaught(stop, run, run.roundEnds[3] ?? 0)),
      ever: score.ever + one(isCaught(stop, run)),
      vetoedEver: score.vetoedEver + one(isCaught(veto, run)),
      early: score.early + one(stop !== undefined && !isCaught(stop, run)),
    }
  }
  return {
    ...score,
    benign: score.benign + 1,
    stopped: score.stopped + one(stop !== undefined),
    vetoed: score.vetoed + one(veto !== undefined),
    warned: score.warned + one(warnings > 0),
    warnings: score.warnings + warnings,
    calls: score.calls + calls,
  }
}

/** Once the first round has run: before that nothing has come back, and who stops then stops by chance. */
function isCaught(unitsRun: number | undefined, { roundEnds }: GeneratedRun, latest = Infinity): boolean {
  return unitsRun !== undefined && unitsRun >= (roundEnds[0] ?? Infinity) && unitsRun <= latest
}

const head = [
  'detector',
  'loops with rounds: stopped within three repetitions',
  'all loops: stopped at all',
  'refused or stopped at all',
  'stopped before the first round was over',
  'benign runs stopped',
  'benign runs refused a call or stopped',
  'benign runs warned',
  'warnings per 1,000 benign calls',
]

/** One detector a row, below the aims. */
export function scoreTable(scores: ReadonlyMap<string, Score>): string {
  const rows = [...scores].map(([name, score]) => [
    name,
    percent(score.withinThree / score.roundLoops),
    percent(score.ever / score.loops),
    percent(score.vetoedEver / score.loops),
    score.early,
    `${score.stopped} of ${score.benign}`,
    score.vetoed,
    score.warned,
    ((1000 * score.warnings) / score.calls).toFixed(2),
  ])
  return markdownTable(head, [['*aim*', '≥ 95 %', undefined, undefined, 0, 0, 0, undefined, '≤ 1'], ...rows])
}
