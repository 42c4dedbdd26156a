/**
 * `npm run bench:fleet -- workers --per-hour 600 --wait 60`: capacity questions, answered by simulation. The same seed gives the
 * same answer. `speed` measures the simulator itself.
 */
import { parseArgs } from 'node:util'
import { usualFleet, type Fleet } from './fleet.ts'
import { questions } from './questions.ts'
import { simulate } from './simulate.ts'

const asked = ['once', 'workers', 'cap', 'outage', 'failures', 'speed'] as const

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(usualFleet.seed) },
    runs: { type: 'string', default: String(usualFleet.runs) },
    'per-hour': { type: 'string', default: String(usualFleet.runsPerHour) },
    workers: { type: 'string', default: String(usualFleet.workers) },
    slots: { type: 'string', default: String(usualFleet.slotsPerWorker) },
    tenants: { type: 'string', default: String(usualFleet.tenants) },
    asking: { type: 'string', default: String(usualFleet.shareAsking) },
    'requests-per-minute': { type: 'string', default: 'Infinity' },
    'life-hours': { type: 'string', default: 'Infinity' },
    waits: { type: 'string', default: String(usualFleet.providerWaitMs) },
    traces: { type: 'string', default: String(usualFleet.traces) },
    /** Of `workers`: the target, in seconds. */
    wait: { type: 'string', default: '60' },
    /** Of `outage`. */
    minutes: { type: 'string', default: '10' },
  },
})

const fleet: Fleet = {
  ...usualFleet,
  seed: number('seed'),
  runs: number('runs'),
  runsPerHour: number('per-hour'),
  workers: number('workers'),
  slotsPerWorker: number('slots'),
  tenants: number('tenants'),
  shareAsking: number('asking'),
  provider: { ...usualFleet.provider, requestsPerMinute: number('requests-per-minute') },
  workerLifeMs: number('life-hours') * 3_600_000,
  providerWaitMs: number('waits'),
  traces: number('traces'),
}

const question = asked.find((name) => name === (positionals[0] ?? 'once'))
switch (question) {
  case undefined:
    throw new TypeError(`there is no question ${String(positionals[0])}: ask one of ${asked.join(', ')}`)
  case 'workers':
    console.table(questions.workers(fleet, 1000 * number('wait')))
    break
  case 'outage':
    console.table(questions.outage(fleet, 60_000 * number('minutes')))
    break
  case 'speed':
    measure()
    break
  default:
    console.table(questions[question](fleet))
}

function number(name: keyof typeof values): number {
  const value = Number(values[name])
  if (Number.isNaN(value)) throw new TypeError(`--${name} must be a number, not ${values[name]}`)
  return value
}

/** Processor time of this one thread: the machine may be busy with other things. */
function measure(): void {
  const before = process.cpuUsage()
  const figures = simulate(fleet)
  const { user, system } = process.cpuUsage(before)
  const seconds = (user + system) / 1_000_000
  console.table({
    runs: fleet.runs,
    workers: fleet.workers,
    'runs decided in full': Math.min(fleet.traces, fleet.runs),
    'model calls': figures.modelCalls,
    'facts told to the schedule': figures.facts,
    placements: figures.placements,
    'hours simulated': Number(figures.hours.toFixed(1)),
    'processor seconds': Number(seconds.toFixed(1)),
    'memory, MB': Math.round(process.memoryUsage().rss / 1_000_000),
    'broken rules': figures.problems.length,
  })
}
