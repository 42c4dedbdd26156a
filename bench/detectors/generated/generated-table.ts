/** Detectors on generated runs: what they end, what they leave alone. */
import type { Detector } from '../detector.ts'
import { generatedClasses, seedsOf, type Half } from './classes.ts'
import type { GeneratedClass } from './generated-run.ts'
import { scoreOf, type ClassScore } from './score/class-score.ts'
import type { DetectorScore } from './score/sum.ts'
import { summary } from './score/table.ts'

export interface TableOptions {
  /** Default `report`. */
  readonly half?: Half
  /** Runs of each class and half. Default 50. */
  readonly variants?: number
  /** Default: all. */
  readonly classes?: readonly GeneratedClass[]
}

export interface GeneratedTable {
  readonly markdown: string
  readonly scores: readonly DetectorScore[]
}

/** Runs are made once and shown to every detector. */
export function generatedTable(detectors: readonly Detector[], options: TableOptions = {}): GeneratedTable {
  const { half = 'report', variants = 50, classes = generatedClasses } = options
  const seeds = seedsOf(half, variants)
  const columns = detectors.map((detector) => ({ detector, perClass: [] as ClassScore[] }))
  for (const generated of classes) {
    const runs = seeds.map((seed) => generated.make(seed))
    for (const { detector, perClass } of columns) perClass.push(scoreOf(detector, generated, runs))
  }
  const scores = columns.map(({ detector, perClass }) => ({ detector: detector.name, perClass }))
  return { markdown: `${introduction(half, seeds.length, classes)}\n\n${summary(scores)}\n`, scores }
}

function introduction(half: Half, runs: number, classes: readonly GeneratedClass[]): string {
  const loops = classes.filter(({ kind }) => kind === 'loop').length
  return `${loops} classes of loops and ${classes.length - loops} of benign work, ${runs} runs of each (half: ${half}), honest work of 0 to 40 calls
before each pattern. "Within three repetitions": the first round is round 1, and the end comes no later than the last call of the third
repetition after it, call onset + 4 · period − 1; a call that is put in between counts to its round. A loop "that only its length tells"
looks, for a while, like honest work of the other list (waiting, a batch, a hard bug): it has to be ended at some time, in 120
calls or more. Every loop with rounds goes on for twelve of them. A stop before the first round was over is no catch and counted apart.`
}
