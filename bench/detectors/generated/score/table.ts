/** Scores as pages for people. */
import { sumOf, type DetectorScore } from './sum.ts'

type Cell = string | number
type Row = readonly Cell[]

const none = '–'

export function percent(part: number, whole: number): string {
  if (whole === 0) return none
  const share = (100 * part) / whole
  return `${share === 0 || share === 100 ? share : share.toFixed(1)} %`
}

function markdown(head: Row, rows: readonly Row[]): string {
  const lines = [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rows]
  // Columns as wide as the longest title would be read by nobody.
  return `<!-- prettier-ignore -->\n${lines.map((row) => `| ${row.join(' | ')} |`).join('\n')}`
}

/** Aims side by side, one detector a row. */
export function summary(scores: readonly DetectorScore[]): string {
  const rows = scores.map((score) => {
    const { rounds, everything, benign } = sumOf(score.perClass)
    return [
      score.detector,
      percent(rounds.withinThree, rounds.runs),
      percent(rounds.withinThirdLap, rounds.runs),
      percent(rounds.vetoedWithinThree, rounds.runs),
      percent(everything.withinThree, everything.runs),
      percent(everything.ever, everything.runs),
      percent(everything.vetoedEver, everything.runs),
      everything.early,
      `${benign.stopped} of ${benign.runs}`,
      benign.vetoed,
      benign.warned,
      benign.warningsPerThousand.toFixed(2),
    ]
  })
  const aims = ['*aim*', '≥ 95 %', none, none, none, none, none, 0, 0, 0, none, '≤ 1']
  const head = [
    'detector',
    'loops with rounds: stopped within three repetitions',
    'by the end of round 3',
    'refused or stopped within three',
    'all loops: stopped within three repetitions',
    'all loops: stopped at all',
    'refused or stopped at all',
    'stopped before the first round was over',
    'benign runs stopped',
    'benign runs refused a call or stopped',
    'benign runs warned',
    'warnings per 1,000 benign calls',
  ]
  return markdown(head, [aims, ...rows])
}
