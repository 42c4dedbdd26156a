/** Scores as pages for people. */
import type { BenignScore, ClassScore, LoopScore } from './class-score.ts'
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

/** One class a row, one detector a column. */
function matrix<Score extends ClassScore>(
  scores: readonly DetectorScore[],
  isMeant: (score: ClassScore) => score is Score,
  cell: (score: Score) => Cell,
): string {
  const names = (scores[0]?.perClass ?? []).filter(isMeant).map(({ name }) => name)
  const rows = names.map((name) => [
    name,
    ...scores.map(({ perClass }) => {
      const score = perClass.find((one) => one.name === name)
      return score !== undefined && isMeant(score) ? cell(score) : none
    }),
  ])
  return markdown(['class', ...scores.map(({ detector }) => detector)], rows)
}

const hasRounds = (score: ClassScore): score is LoopScore => score.kind === 'loop' && score.demand === 'laps'
const hasNoRounds = (score: ClassScore): score is LoopScore =>
  score.kind === 'loop' && score.demand === 'ever'
const isBenign = (score: ClassScore): score is BenignScore => score.kind === 'benign'

/** Three shares and the median of the units from the onset to the end. */
function catches({ withinThree, withinThirdLap, ever, runs, delay }: LoopScore): string {
  if (ever === 0) return ''
  const shares = [withinThree, withinThirdLap, ever].map((part) => Math.round((100 * part) / runs))
  return `${shares.join(' / ')} (${delay ?? none})`
}

const everCaught = ({ ever, runs, delay }: LoopScore) =>
  ever === 0 ? '' : `${percent(ever, runs)} (${delay ?? none})`

const harm = ({ stopped, vetoed, warned }: BenignScore) =>
  stopped + vetoed + warned === 0 ? '' : `${stopped} / ${vetoed - stopped} / ${warned}`

/** An empty cell: nothing at all. */
export function matrices(scores: readonly DetectorScore[]): string {
  return [
    '### Loops with rounds: % stopped within three repetitions / by the end of round 3 / within twelve rounds (median delay in calls or replies)',
    matrix(scores, hasRounds, catches),
    '### Loops that only their length tells: stopped at all (median delay)',
    matrix(scores, hasNoRounds, everCaught),
    '### Benign runs: stopped / only refused a call / warned',
    matrix(scores, isBenign, harm),
  ].join('\n\n')
}

/** Everything about one detector. */
export function details({ detector, perClass }: DetectorScore): string {
  const loops = perClass.filter((score) => score.kind === 'loop')
  const benign = perClass.filter((score) => score.kind === 'benign')
  const loopRows = loops.map((score) => [
    score.name,
    score.demand,
    score.runs,
    percent(score.withinThree, score.runs),
    percent(score.withinThirdLap, score.runs),
    percent(score.ever, score.runs),
    percent(score.vetoedWithinThree, score.runs),
    percent(score.vetoedEver, score.runs),
    percent(score.noticed, score.runs),
    score.delay ?? none,
    score.early,
    rulesOf(score),
  ])
  const benignRows = benign.map((score) => [
    score.name,
    score.runs,
    score.calls,
    score.stopped,
    score.vetoed,
    score.warned,
    ((1000 * score.warnings) / score.calls).toFixed(2),
    rulesOf(score),
  ])
  const loopHead = [
    'loop',
    'demand',
    'runs',
    'within three',
    'by round 3',
    'ever',
    'vetoed within three',
    'vetoed ever',
    'noticed',
    'delay',
    'early',
    'rules',
  ]
  const benignHead = [
    'benign',
    'runs',
    'calls',
    'stopped',
    'refused or stopped',
    'warned',
    'warnings per 1,000 calls',
    'rules',
  ]
  return [`### ${detector}`, markdown(loopHead, loopRows), markdown(benignHead, benignRows)].join('\n\n')
}

const rulesOf = ({ rules }: ClassScore) => [...rules].map(([rule, count]) => `${rule} ${count}`).join(', ')
