/** The generated classes in the terms of the aims. */
import type { Detector } from '../detector.ts'
import { generatedTable, sumOf, type DetectorScore } from '../generated/index.ts'
import type { Half } from '../../halves.ts'
import type { GeneratedScore } from './aims.ts'

export interface GeneratedFindings {
  readonly markdown: string
  readonly scores: ReadonlyMap<string, GeneratedScore>
}

/** Of both halves the report half, as with the recorded runs. */
export function measureGenerated(detectors: readonly Detector[], half: Half | 'all'): GeneratedFindings {
  const { markdown, scores } = generatedTable(detectors, { half: half === 'all' ? 'report' : half })
  return { markdown, scores: new Map(scores.map((score) => [score.detector, scoreOf(score)])) }
}

function scoreOf({ perClass }: DetectorScore): GeneratedScore {
  const { rounds, everything, benign } = sumOf(perClass)
  return {
    loopsStoppedShare: rounds.withinThree / rounds.runs,
    loopsEndedShare: everything.ever / everything.runs,
    benignStopped: benign.stopped,
    warningsPerThousandCalls: benign.warningsPerThousand,
  }
}
