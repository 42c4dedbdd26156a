import { test as property, fc } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { PlainFleet } from '../../../../test/fleet/kit/plain-fleet.ts'
import { given, submitted, worker } from './fixtures/told.ts'
import { openSchedule, savedScheduleSchema, scheduleFactSchema, type ScheduleFact } from './index.ts'

const pick = <Value>(...values: Value[]) => fc.constantFrom(...values)
const runIds = Array.from({ length: 14 }, (_, index) => `r${index}`)

/** A run may be a part of one with a lower number, so that none is its own ancestor. */
const anyRun = fc
  .record({
    index: fc.nat(runIds.length - 1),
    tenant: pick('a', 'b', 'c'),
    priority: pick(-1, 0, 0, 3),
    labels: pick<string[]>([], [], ['gpu'], ['gpu', 'linux']),
    version: pick(undefined, '1', '2'),
    folder: pick(undefined, 'f', 'g'),
    provider: pick(undefined, 'p', 'q'),
    parent: fc.nat(runIds.length - 1),
  })
  .map(({ index, parent, ...asked }) => ({
    ...asked,
    runId: `r${index}`,
    parent: parent < index ? `r${parent}` : undefined,
  }))
const anyWorker = fc.record({
  workerId: pick('v', 'w', 'x'),
  version: pick('1', '2'),
  labels: pick<string[]>([], ['gpu'], ['linux', 'gpu']),
  slots: fc.nat(3),
  draining: pick(false, false, false, true),
})
const anyLimits = fc.record({
  everyTenant: pick({}, { atOnce: 2 }),
  tenants: pick({}, { a: { atOnce: 1 } }, { a: { atOnce: 0 } }),
  providers: fc.constant({ p: { bucket: { perMinute: 7, burst: 2 } }, q: { atOnce: 1 } }),
})
const anyFact = fc.oneof(
  { weight: 6, arbitrary: anyRun.map((asked) => ({ kind: 'run-submitted', run: asked })) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: pick('run-waiting'), runId: pick(...runIds), attempt: fc.nat(2) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: pick('run-ready'), runId: pick(...runIds), attempt: fc.nat(2) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: pick('run-finished'), runId: pick(...runIds) }) },
  { weight: 4, arbitrary: anyWorker.map((offered) => ({ kind: 'worker-seen', ...offered })) },
  { weight: 1, arbitrary: fc.record({ kind: pick('worker-lost'), workerId: pick('v', 'w', 'x') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: pick('provider-limited'),
      provider: pick('p', 'q'),
      untilMs: fc.nat(90_000),
    }),
  },
  { weight: 1, arbitrary: anyLimits.map((limits) => ({ kind: 'limits-set', limits })) },
)

/** A history: facts, and the delay before each. */
const anyHistory = fc
  .array(fc.tuple(pick(0, 0, 1, 900, 9_000), anyFact), { maxLength: 60, size: 'max' })
  .map((steps) => {
    let atMs = 0
    return steps.map(([laterMs, fact]) => scheduleFactSchema.parse({ ...fact, atMs: (atMs += laterMs) }))
  })
const limits = {
  kind: 'limits-set',
  atMs: 0,
  limits: { providers: { p: { bucket: { perMinute: 7, burst: 2 } } } },
} satisfies ScheduleFact

describe('whatever is told', () => {
  property.prop([anyHistory])(
    'no limit is exceeded, no run waits for nothing, and who has fewer is served first',
    (history) => {
      const schedule = given(limits)
      const plain = new PlainFleet()
      plain.tell(limits)
      for (const fact of history) {
        schedule.tell(fact)
        plain.tell(fact)
        const { placements } = schedule.place(fact.atMs)
        const problems = placements.flatMap((placement) => [
          ...plain.unfair(placement, fact.atMs),
          ...plain.place(placement, fact.atMs),
        ])
        expect(problems).toEqual([])
        expect(plain.forgotten(fact.atMs)).toEqual([])
      }
    },
  )

  property.prop([anyHistory, fc.nat(60)])('it goes on as it was saved', (history, breakAt) => {
    let schedule = given()
    const whole = given()
    for (const [index, fact] of history.entries()) {
      if (index === breakAt)
        schedule = openSchedule(savedScheduleSchema.parse(JSON.parse(JSON.stringify(schedule.saved()))))
      schedule.tell(fact)
      whole.tell(fact)
      expect(schedule.place(fact.atMs)).toEqual(whole.place(fact.atMs))
    }
  })

  property.prop([anyHistory])(
    'there is something to look at when it says so, and nothing before',
    (history) => {
      const schedule = given(limits)
      for (const fact of history) {
        schedule.tell(fact)
        const { lookAgainAtMs } = schedule.place(fact.atMs)
        if (lookAgainAtMs === undefined) continue
        const saved = schedule.saved()
        expect(openSchedule(saved).place(lookAgainAtMs - 1).placements).toEqual([])
        expect(openSchedule(saved).place(lookAgainAtMs).placements).not.toEqual([])
      }
    },
  )

  property.prop([
    fc.uniqueArray(anyRun, { selector: ({ runId }) => runId }),
    fc.uniqueArray(anyWorker, { selector: ({ workerId }) => workerId }),
    fc.array(fc.nat(), { minLength: 20, maxLength: 20 }),
  ])('what is told at the same time may be told in any order', (runs, workers, order) => {
    const facts = [
      ...runs.map((asked) => scheduleFactSchema.parse({ kind: 'run-submitted', atMs: 0, run: asked })),
      ...workers.map((offered) => scheduleFactSchema.parse({ kind: 'worker-seen', atMs: 0, ...offered })),
    ]
    const shuffled = facts
      .map((fact, index) => ({ fact, at: order[index] ?? 0 }))
      .sort((left, right) => left.at - right.at)
    expect(given(...shuffled.map(({ fact }) => fact)).place(0)).toEqual(given(...facts).place(0))
  })

  property.prop([
    fc.array(fc.tuple(pick('a', 'b'), fc.integer({ min: 0, max: 6 })), { minLength: 1, maxLength: 30 }),
  ])(
    'no run starves: behind a stream of urgent ones it waits ten minutes a point, and what was there before it',
    (stream) => {
      const schedule = given(worker('w'), submitted('patient', { tenant: 'a' }))
      const minuteMs = 60_000
      let nowMs = 0
      for (let minute = 0; minute < 200; minute += 1) {
        const [tenant, priority] = stream[minute % stream.length] ?? ['a', 0]
        schedule.tell(submitted(`urgent${minute}`, { tenant, priority }, nowMs))
        const next = schedule.place(nowMs).placements[0]?.runId ?? ''
        if (next === 'patient') break
        nowMs += minuteMs
        schedule.tell({ kind: 'run-finished', atMs: nowMs, runId: next })
      }
      // One comes a minute and one ends a minute: at most 60 of those that came within its 60 minutes, shared with another tenant.
      expect(nowMs).toBeLessThanOrEqual(2 * 60 * minuteMs)
    },
  )
})
