/** What is simulated: how many runs come, on how many workers, and what goes wrong. */
import type { Limits } from '@donecheck/fleet/internal/schedule'
import type { ProviderSettings } from './provider.ts'
import { assumedPace, type Pace, type Trace } from './workload.ts'

export interface Fleet {
  readonly seed: number
  readonly runs: number
  /** Infinity: all come at the beginning. */
  readonly runsPerHour: number
  readonly workers: number
  readonly slotsPerWorker: number
  /** The second sends half as many runs as the first, the third a third, and so on. */
  readonly tenants: number
  /** Share of runs that are in a project folder with others, ten to a folder. */
  readonly shareInFolders: number
  /** Share of runs that ask a person once, and how long people take on average. */
  readonly shareAsking: number
  readonly answerMs: number
  readonly provider: ProviderSettings
  readonly limits: Limits
  /** The schedule is told of a provider that sends a run away for so long, as the coordinator does it. Infinity: never. */
  readonly toldFromMs: number
  /** Shorter waits for the model are waited for on the worker. */
  readonly heldMs: number
  /** How long a run waits for its provider before it ends with an error (`providerWaits`). */
  readonly providerWaitMs: number
  /** Mean time from start to death of a worker. Infinity: none dies. */
  readonly workerLifeMs: number
  /** Until it is noticed, and until another stands in its place. */
  readonly lostAfterMs: number
  readonly replacedAfterMs: number
  readonly pace: Pace
  /** So many runs are decided in full, and every run is one of them with times of its own. Infinity: each is decided. */
  readonly traces: number
  /** Runs whose times are known, in place of drawn ones. */
  readonly scripts?: readonly Trace[]
}

export const usualFleet: Fleet = {
  seed: 1,
  runs: 2_000,
  runsPerHour: 1_000,
  workers: 100,
  slotsPerWorker: 1,
  tenants: 20,
  shareInFolders: 0.1,
  shareAsking: 0.05,
  answerMs: 15 * 60_000,
  provider: { requestsPerMinute: Infinity, outages: [], failingShare: 0.002 },
  limits: {},
  toldFromMs: 5_000,
  heldMs: 2_000,
  providerWaitMs: 900_000,
  workerLifeMs: Infinity,
  lostAfterMs: 15_000,
  replacedAfterMs: 60_000,
  pace: assumedPace,
  traces: 500,
}
