import { describe, expect, it } from 'vitest'
import { openSchedule, type ScheduleFact } from '@donecheck/fleet/internal/schedule'
import { usualFleet, type Fleet } from './fleet.ts'
import { questions } from './questions.ts'
import { simulate, type Placing } from './simulate.ts'

const fleet: Fleet = {
  ...usualFleet,
  runs: 300,
  runsPerHour: 600,
  workers: 12,
  slotsPerWorker: 2,
  tenants: 4,
  traces: 20,
  providerWaitMs: 900_000,
  shareInFolders: 0.5,
  workerLifeMs: 3 * 3_600_000,
  provider: {
    requestsPerMinute: 100,
    outages: [{ fromMs: 600_000, untilMs: 900_000 }],
    failingShare: 0.01,
  },
  limits: { everyTenant: { atOnce: 10 }, providers: { model: { bucket: { perMinute: 60, burst: 5 } } } },
}

describe('a simulated fleet', () => {
  it('is the same for the same seed, and another for another', () => {
    const once = simulate(fleet)
    expect(simulate(fleet)).toEqual(once)
    expect(simulate({ ...fleet, seed: 2 })).not.toEqual(once)
  })

  it('brings every run to an end, through refusals, an outage and dying workers, and breaks no rule', () => {
    const { ended, problems, lostRuns, refusedCalls } = simulate(fleet)
    expect(Object.values(ended).reduce((sum, count) => sum + count, 0)).toBe(fleet.runs)
    expect(problems).toEqual([])
    expect(lostRuns).toBeGreaterThan(0)
    expect(refusedCalls).toBeGreaterThan(0)
  })

  it('says much the same where every run is decided in full', () => {
    const calm = { ...usualFleet, runs: 60, runsPerHour: 300, workers: 80 }
    const drawn = simulate({ ...calm, traces: 40 })
    const full = simulate({ ...calm, traces: Infinity })
    expect(drawn.modelCalls / full.modelCalls).toBeGreaterThan(0.7)
    expect(drawn.modelCalls / full.modelCalls).toBeLessThan(1.4)
  })

  it('answers how many workers are enough: one fewer is too few', () => {
    const rows = questions.workers({ ...usualFleet, runs: 100, traces: 10 }, 60_000)
    const enough = rows.findIndex((row) => row['enough?'] === 'yes')
    expect(rows[enough - 1]).toMatchObject({ workers: Number(rows[enough]?.['workers']) - 1 })
  })

  it('shows what an outage does, and that patience and a schedule that hears of it help', () => {
    const rows = questions.outage({ ...usualFleet, runs: 200, workers: 150, traces: 10 }, 600_000)
    const figure = (name: string) => rows.map((row) => Number(row[name]))
    const [calm, few = 0, , many] = figure('error %')
    expect(calm).toBe(0)
    expect(few).toBeGreaterThan(5)
    expect(many).toBe(0)
    const [, , , told = 0, untold = 0] = figure('refused calls %')
    expect(told).toBeLessThan(untold)
  })
})

/** Faults that somebody could plant in the schedule: what it makes of what it is told. */
const faults: Readonly<Record<string, (fact: ScheduleFact) => ScheduleFact | undefined>> = {
  'a slot is counted twice': (fact) =>
    fact.kind === 'worker-seen' ? { ...fact, slots: fact.slots + 1 } : fact,
  'folders are forgotten': (fact) =>
    fact.kind === 'run-submitted' ? { ...fact, run: { ...fact.run, folder: undefined } } : fact,
  'caps of tenants are forgotten': (fact) => (fact.kind === 'limits-set' ? { ...fact, limits: {} } : fact),
  'outages are forgotten': (fact) => (fact.kind === 'provider-limited' ? undefined : fact),
  'a lost worker is not told': (fact) => (fact.kind === 'worker-lost' ? undefined : fact),
}

describe.each(Object.entries(faults))('given a schedule in which %s', (_name, heard) => {
  it('is found out', () => {
    const real = openSchedule()
    const broken: Placing = {
      tell(told) {
        const fact = heard(told)
        if (fact !== undefined) real.tell(fact)
      },
      place: (nowMs) => real.place(nowMs),
      runsOf: (workerId) => real.runsOf(workerId),
    }
    expect(simulate(fleet, broken).problems).not.toEqual([])
  })
})
