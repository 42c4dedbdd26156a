/** A run as the simulator knows it: which trace it follows, and where it is. */
import type { RunState } from '@donecheck/core/internal/state'
import type { Fleet } from './fleet.ts'
import { randomOf, type Random } from './random.ts'
import { knownTrace, traceOf, type Trace } from './workload.ts'

export interface SimulatedRun {
  readonly runId: string
  readonly tenant: string
  readonly trace: Trace
  readonly random: Random
  /** The call that it asks a person at; undefined: none. */
  asksAt: number | undefined
  /** Calls that were answered. */
  at: number
  attempt: number
  /** It has been with a worker, is with one, or asks for one. */
  askedMs: number
  placedMs: number | undefined
  /** Differs from the trace since a call failed or a worker died; until the next answer. */
  astray: RunState | undefined
}

/** The same number is the same run, whatever the fleet is. */
export function simulatedRun(fleet: Fleet, index: number, askedMs: number): SimulatedRun {
  const random = randomOf(fleet.seed, 1, index)
  const trace = fleet.scripts?.[index] ?? traceOfRun(fleet, index, random)
  const asks = random() < fleet.shareAsking
  return {
    runId: `run ${index}`,
    tenant: `tenant ${tenantOf(random, fleet.tenants)}`,
    trace,
    random,
    asksAt: asks ? Math.floor(random() * trace.steps.length) : undefined,
    at: 0,
    attempt: 0,
    askedMs,
    placedMs: undefined,
    astray: undefined,
  }
}

function traceOfRun({ seed, traces, runs, providerWaitMs }: Fleet, index: number, random: Random): Trace {
  if (traces >= runs) return traceOf(randomOf(seed, 4, index), providerWaitMs)
  return knownTrace(seed, providerWaitMs, Math.floor(random() * traces))
}

/** Zipf: the first tenant sends most. */
function tenantOf(random: Random, tenants: number): number {
  let total = 0
  for (let tenant = 1; tenant <= tenants; tenant += 1) total += 1 / tenant
  let left = random() * total
  for (let tenant = 1; tenant < tenants; tenant += 1) {
    left -= 1 / tenant
    if (left < 0) return tenant
  }
  return tenants
}
