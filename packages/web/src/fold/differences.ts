/** Two things side by side: figures that both have, and which of them is better. */
import type { Explanation, Figures, RunDetails } from '../data/index.ts'
import { compact, dollars, duration, percent, unknownFigure, whole } from './figures.ts'

export interface Comparison {
  readonly name: string
  readonly a: string
  readonly b: string
  /** Such as `−12 %`; empty where there is nothing to tell. */
  readonly difference: string
  /** Whether b is better than a. Undefined: neither, or it is a matter of taste. */
  readonly isBetter: boolean | undefined
}

interface Measure<Subject> {
  readonly name: string
  readonly of: (subject: Subject) => number | null | undefined
  readonly words: (value: number | null | undefined) => string
  readonly better?: 'less' | 'more'
}

const runMeasures: readonly Measure<RunDetails>[] = [
  { name: 'Turns', of: ({ run }) => run.turns, words: whole, better: 'less' },
  { name: 'Tokens', of: ({ run }) => run.tokens, words: compact, better: 'less' },
  { name: 'Cost', of: ({ run }) => run.costUsd, words: dollars, better: 'less' },
  { name: 'Active time', of: ({ run }) => run.activeMs, words: duration, better: 'less' },
  { name: 'Events', of: ({ run }) => run.events, words: whole },
  { name: 'Checks passed', of: ({ explanation }) => explanation.passed.length, words: whole, better: 'more' },
  { name: 'Checks missing', of: missingCount, words: whole, better: 'less' },
]

function missingCount({ explanation }: { readonly explanation: Explanation }): number {
  return explanation.missing.length
}

const figureMeasures: readonly Measure<Figures>[] = [
  { name: 'Runs', of: ({ runs }) => runs, words: whole },
  { name: 'Verified', of: ({ verified }) => verified.share, words: percent, better: 'more' },
  { name: 'Verified at first try', of: ({ firstTry }) => firstTry.share, words: percent, better: 'more' },
  { name: 'Said done while red', of: ({ falseDone }) => falseDone.share, words: percent, better: 'less' },
  { name: 'Rounds to green', of: ({ roundsToGreen }) => roundsToGreen.median, words: whole, better: 'less' },
  { name: 'Cost per verified run', of: ({ cost }) => cost.perVerifiedUsd, words: dollars, better: 'less' },
  {
    name: 'Tokens per run',
    of: ({ tokens, runs }) => (tokens.input + tokens.output) / runs,
    words: compact,
    better: 'less',
  },
  { name: 'Turns per run', of: ({ turns, runs }) => turns / runs, words: compact, better: 'less' },
  {
    name: 'Active time per run',
    of: ({ activeHours, runs }) => (activeHours * 3_600_000) / runs,
    words: duration,
    better: 'less',
  },
]

export function compareRuns(a: RunDetails, b: RunDetails): readonly Comparison[] {
  return runMeasures.map((measure) => compared(measure, a, b))
}

export function compareFigures(a: Figures, b: Figures): readonly Comparison[] {
  return figureMeasures.map((measure) => compared(measure, a, b))
}

function compared<Subject>(
  { name, of, words, better }: Measure<Subject>,
  a: Subject,
  b: Subject,
): Comparison {
  const [one, other] = [of(a) ?? null, of(b) ?? null]
  const isTold = one !== null && other !== null && one !== other && better !== undefined
  return {
    name,
    a: words(one),
    b: words(other),
    difference: differenceWords(one, other),
    isBetter: isTold ? other < one === (better === 'less') : undefined,
  }
}

function differenceWords(a: number | null, b: number | null): string {
  if (a === null || b === null) return unknownFigure
  if (a === b) return '='
  if (a === 0) return b > 0 ? 'more' : 'less'
  const share = (b - a) / Math.abs(a)
  return `${share > 0 ? '+' : '−'}${Math.abs(share * 100).toFixed(0)} %`
}
