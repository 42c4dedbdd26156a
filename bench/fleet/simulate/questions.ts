/** Questions that people ask before they pay for machines: each is a few simulations and a table of them. */
import type { Fleet } from './fleet.ts'
import { simulate } from './simulate.ts'
import type { Figures } from './tally.ts'

export type Row = Readonly<Record<string, string | number>>

const minuteMs = 60_000

export const questions = {
  /** What happens in this fleet. */
  once: (fleet: Fleet): Row[] => [rowOf(simulate(fleet))],

  /** How few workers are enough for 95 of 100 runs to begin within the target wait. */
  workers(fleet: Fleet, targetWaitMs: number): Row[] {
    const tried = new Map<number, Figures>()
    const isEnough = (workers: number): boolean => {
      const figures = tried.get(workers) ?? simulate({ ...fleet, workers })
      tried.set(workers, figures)
      return figures.firstWait.p95Ms <= targetWaitMs
    }
    let enough = 1
    // With a worker for each run it is not for workers that they wait.
    while (!isEnough(enough) && enough < fleet.runs) enough *= 2
    let tooFew = Math.floor(enough / 2)
    while (enough - tooFew > 1) {
      const between = Math.floor((enough + tooFew) / 2)
      if (isEnough(between)) enough = between
      else tooFew = between
    }
    const near = [...tried].filter(([workers]) => workers >= tooFew && workers <= 2 * enough)
    return near
      .toSorted(([left], [right]) => left - right)
      .map(([workers, figures]) => ({
        workers,
        'enough?': figures.firstWait.p95Ms <= targetWaitMs ? 'yes' : 'no',
        ...rowOf(figures),
      }))
  },

  /** How many runs at once a provider bears: fewer leave it idle, more are refused and wait for nothing. */
  cap: (fleet: Fleet): Row[] =>
    [0.5, 0.75, 1, 1.25, 1.5, 2].map((share) => {
      const atOnce = Math.max(1, Math.round(share * callsAtOnce(fleet)))
      const limits = { ...fleet.limits, providers: { model: { atOnce } } }
      return { 'runs at once': atOnce, ...rowOf(simulate({ ...fleet, limits })) }
    }),

  /** What it costs when the provider is down, once half of the runs have come. */
  outage(fleet: Fleet, outageMs: number): Row[] {
    const fromMs = (fleet.runs / fleet.runsPerHour / 2) * 60 * minuteMs
    const outages = [{ fromMs, untilMs: fromMs + outageMs }]
    const provider = { ...fleet.provider, outages }
    const row = (name: string, changes: Partial<Fleet>) => ({
      case: name,
      ...rowOf(simulate({ ...fleet, ...changes })),
    })
    return [
      row('no outage', {}),
      ...[4_000, 60_000, 900_000].map((providerWaitMs) =>
        row(`outage, waited for ${providerWaitMs / 1000} s`, { provider, providerWaitMs }),
      ),
      row('waited for 900 s, and the schedule is not told', {
        provider,
        providerWaitMs: 900_000,
        toldFromMs: Infinity,
      }),
    ]
  },

  /** What dying workers cost. */
  failures: (fleet: Fleet): Row[] =>
    [Infinity, 24, 4, 1].map((hours) => ({
      'hours a worker lives': hours,
      ...rowOf(simulate({ ...fleet, workerLifeMs: hours * 60 * minuteMs })),
    })),
}

/** Runs that make as many requests as the provider takes, where one makes about six a minute. */
function callsAtOnce({ provider, workers, slotsPerWorker }: Fleet): number {
  return Math.min(provider.requestsPerMinute / 6, workers * slotsPerWorker)
}

function rowOf(figures: Figures): Row {
  const { ended, firstWait, laterWait, problems } = figures
  const total = Object.values(ended).reduce((sum, count) => sum + count, 0)
  return {
    'runs/h': Math.round(total / figures.hours),
    'verified %': percent((ended['task_complete'] ?? 0) / total),
    'error %': percent((ended['error'] ?? 0) / total),
    'busy %': percent(figures.utilisation),
    'wait p50 s': seconds(firstWait.p50Ms),
    'p95 s': seconds(firstWait.p95Ms),
    'worst tenant p95 s': seconds(figures.worstTenantP95Ms),
    'return p95 s': seconds(laterWait.p95Ms),
    'refused calls %': percent(figures.refusedCalls / figures.modelCalls),
    'lost with workers': figures.lostRuns,
    'broken rules': problems.length,
  }
}

function percent(share: number): number {
  return Number((100 * share).toFixed(1))
}

function seconds(ms: number): number {
  return Math.round(ms / 1000)
}
