/** Classes added up: every class counts by its runs, and all classes have equally many. */
import type { BenignScore, ClassScore, LoopScore } from './class-score.ts'

export interface DetectorScore {
  readonly detector: string
  readonly perClass: readonly ClassScore[]
}

export type LoopCounts = Pick<
  LoopScore,
  'runs' | 'withinThree' | 'withinThirdLap' | 'ever' | 'early' | 'vetoedWithinThree' | 'vetoedEver'
>

export type BenignCounts = Pick<BenignScore, 'runs' | 'stopped' | 'vetoed' | 'warned' | 'warnings' | 'calls'>

export interface Sum {
  /** Loops whose calls and outcomes come back: those that are held to three repetitions. */
  readonly rounds: LoopCounts
  /** All loops. */
  readonly everything: LoopCounts
  readonly benign: BenignCounts & { readonly warningsPerThousand: number }
}

export function sumOf(scores: readonly ClassScore[]): Sum {
  const loops = scores.filter((score) => score.kind === 'loop')
  const benign = scores.filter((score) => score.kind === 'benign')
  const harm = benignCounts(benign)
  return {
    rounds: loopCounts(loops.filter(({ demand }) => demand === 'laps')),
    everything: loopCounts(loops),
    benign: { ...harm, warningsPerThousand: harm.calls === 0 ? 0 : (1000 * harm.warnings) / harm.calls },
  }
}

function loopCounts(scores: readonly LoopScore[]): LoopCounts {
  return {
    runs: total(scores, ({ runs }) => runs),
    withinThree: total(scores, ({ withinThree }) => withinThree),
    withinThirdLap: total(scores, ({ withinThirdLap }) => withinThirdLap),
    ever: total(scores, ({ ever }) => ever),
    early: total(scores, ({ early }) => early),
    vetoedWithinThree: total(scores, ({ vetoedWithinThree }) => vetoedWithinThree),
    vetoedEver: total(scores, ({ vetoedEver }) => vetoedEver),
  }
}

function benignCounts(scores: readonly BenignScore[]): BenignCounts {
  return {
    runs: total(scores, ({ runs }) => runs),
    stopped: total(scores, ({ stopped }) => stopped),
    vetoed: total(scores, ({ vetoed }) => vetoed),
    warned: total(scores, ({ warned }) => warned),
    warnings: total(scores, ({ warnings }) => warnings),
    calls: total(scores, ({ calls }) => calls),
  }
}

function total<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0)
}
