/** The aims, stated before anything was measured, beside what was reached. */
import type { Costs } from '../cost/cost-table.ts'
import type { Detector } from '../detector.ts'
import { figuresOf } from '../measure/figures.ts'
import { fixed, markdownTable, percent } from '../measure/markdown.ts'
import type { MeasuredRun } from '../measure/measured-run.ts'

/** What a detector reached on the generated classes. Shares of 1. */
export interface GeneratedScore {
  /** Loops stopped within three repetitions of their period. */
  readonly loopsStoppedShare: number
  /** All loops, ended at any time. */
  readonly loopsEndedShare: number
  readonly benignStopped: number
  readonly warningsPerThousandCalls: number
}

export interface Reached {
  readonly detectors: readonly Detector[]
  /** Names of the rivals that compare results: the cheapest of them sets the aim for the cost. */
  readonly resultRivals: ReadonlySet<string>
  readonly runs: readonly MeasuredRun[]
  /** Undefined: not measured. */
  readonly costs: Costs | undefined
  readonly generated: ReadonlyMap<string, GeneratedScore> | undefined
}

interface Aim {
  readonly title: string
  /** Undefined: not measured. */
  reached(detector: string): { readonly text: string; readonly isMet: boolean } | undefined
}

const savedCallsShare = 0.055
const killedShare = 0.001
const loopsStoppedShare = 0.95
const loopsEndedShare = 0.97
const warningsPerThousand = 1
const memoryBytes = 64 * 1024
/** Timing of single calls is noisy: flat is what grows by no more than this from 10^3 to 10^6 calls. */
const flatGrowth = 1.5

/** One line per detector, one column per aim; a missed aim is marked. */
export function aimsTable(reached: Reached): string {
  const aims = aimsOf(reached)
  const rows = reached.detectors.map(({ name }) => [name, ...aims.map((aim) => cellOf(aim, name))])
  return markdownTable(['detector', ...aims.map(({ title }) => title)], rows)
}

function cellOf(aim: Aim, name: string): string {
  const found = aim.reached(name)
  if (found === undefined) return 'not measured'
  return found.isMet ? found.text : `MISSED ${found.text}`
}

function aimsOf(reached: Reached): readonly Aim[] {
  return [...aimsOnRuns(reached.runs), ...aimsOnGenerated(reached.generated), ...aimsOnCosts(reached)]
}

function aimsOnRuns(runs: readonly MeasuredRun[]): readonly Aim[] {
  return [
    {
      title: 'calls of unresolved runs saved ≥ 5.5 %',
      reached: (name) => asShare(figuresOf(runs, name).calls.share, (share) => share >= savedCallsShare, 2),
    },
    {
      title: 'resolved runs ended ≤ 0.1 %',
      reached: (name) => asShare(figuresOf(runs, name).killedShare, (share) => share <= killedShare, 2),
    },
    {
      title: 'of models of 2025-26: 0',
      reached(name) {
        const { newestKills, newestResolved } = figuresOf(runs, name)
        if (newestResolved === 0) return undefined
        return { text: `${newestKills} of ${newestResolved}`, isMet: newestKills === 0 }
      },
    },
    {
      title: 'warnings ≤ 1 per 1,000 benign calls',
      reached: (name) =>
        asNumber(figuresOf(runs, name).warningsPerThousandCalls, (count) => count <= warningsPerThousand),
    },
  ]
}

function aimsOnGenerated(generated: ReadonlyMap<string, GeneratedScore> | undefined): readonly Aim[] {
  return [
    {
      title: 'generated loops stopped within 3 periods ≥ 95 %',
      reached: (name) =>
        asShare(generated?.get(name)?.loopsStoppedShare, (share) => share >= loopsStoppedShare, 1),
    },
    {
      title: 'generated loops ended ≥ 97 %',
      reached: (name) =>
        asShare(generated?.get(name)?.loopsEndedShare, (share) => share >= loopsEndedShare, 1),
    },
    {
      title: 'generated benign runs stopped: 0',
      reached: (name) => asNumber(generated?.get(name)?.benignStopped, (count) => count === 0, 0),
    },
    {
      title: 'generated: warnings ≤ 1 per 1,000 benign calls',
      reached: (name) =>
        asNumber(generated?.get(name)?.warningsPerThousandCalls, (count) => count <= warningsPerThousand),
    },
  ]
}

function aimsOnCosts({ detectors, resultRivals, costs }: Reached): readonly Aim[] {
  const limitMicros = cheapestRival(detectors, resultRivals, costs)
  const limit = limitMicros === undefined ? '' : ` (${limitMicros.toFixed(2)})`
  return [
    {
      title: `µs per call ≤ the cheapest rival that compares results${limit}`,
      reached: (name) =>
        limitMicros === undefined
          ? undefined
          : asNumber(costs?.get(name)?.perCallMicros, (micros) => micros <= limitMicros),
    },
    {
      title: `flat to 10^6 calls (growth ≤ ${flatGrowth} times)`,
      reached: (name) => (costs === undefined ? undefined : growthOf(costs, name)),
    },
    {
      title: 'memory per run ≤ 64 KB',
      reached(name) {
        const bytes = costs?.get(name)?.bytes
        if (bytes === undefined) return undefined
        const most = Math.max(...bytes)
        return { text: `${(most / 1024).toFixed(1)} KB`, isMet: most <= memoryBytes }
      },
    },
  ]
}

function growthOf(costs: Costs, name: string) {
  const at = costs.get(name)?.atLengths
  if (at === undefined) return undefined
  const [first, last] = [at[0], at.at(-1)]
  if (first === undefined || last === undefined) return { text: 'given up', isMet: false }
  const growth = last / first
  return { text: `${growth.toFixed(2)} times`, isMet: growth <= flatGrowth }
}

function cheapestRival(
  detectors: readonly Detector[],
  resultRivals: ReadonlySet<string>,
  costs: Costs | undefined,
): number | undefined {
  const micros = detectors
    .filter(({ name }) => resultRivals.has(name))
    .flatMap(({ name }) => costs?.get(name)?.perCallMicros ?? [])
  return micros.length === 0 ? undefined : Math.min(...micros)
}

function asShare(share: number | undefined, isMet: (share: number) => boolean, digits: number) {
  return share === undefined ? undefined : { text: percent(share, digits) ?? '-', isMet: isMet(share) }
}

function asNumber(number: number | undefined, isMet: (number: number) => boolean, digits = 2) {
  return number === undefined ? undefined : { text: fixed(number, digits) ?? '-', isMet: isMet(number) }
}
