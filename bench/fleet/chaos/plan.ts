/** What the runs of the chaos do: every turn one call, which leaves a line in a ledger outside of the record. */
import { z } from 'zod'
import type { Random } from '../simulate/random.ts'

const turn = z.strictObject({
  /** Of this run: no two turns have the same. */
  number: z.int().positive(),
  /** `asks`: a person must agree first. `busy`: the model is not to be had at first. */
  kind: z.enum(['does', 'asks', 'busy']),
  /** How long the call takes; it leaves its line in the middle. */
  takesMs: z.number(),
})

/** How a run is to end. */
export const ending = z.enum(['by itself', 'at its cap', 'cancelled'])

export const plannedRun = z.strictObject({
  runId: z.string(),
  turns: z.array(turn),
  ending,
  /** Calls of tools that it may make. */
  maxToolCalls: z.int().positive(),
})
export type PlannedRun = Readonly<z.infer<typeof plannedRun>>

export interface Extent {
  readonly runs: number
  readonly turns: number
  /** Of one call, at most. */
  readonly takesMs: number
}

export function plannedRuns(random: Random, { runs, turns, takesMs }: Extent): PlannedRun[] {
  return Array.from({ length: runs }, (_, index) => {
    const count = Math.ceil(turns * (0.5 + random() / 2))
    // Of eight runs one is to meet its cap, and one is cancelled.
    const ending = (['at its cap', 'cancelled'] as const)[index % 8] ?? 'by itself'
    return {
      runId: `run-${String(index).padStart(2, '0')}`,
      turns: Array.from({ length: count }, (_turn, at) => {
        const kind = (['asks', 'busy'] as const)[Math.floor(random() * 10)] ?? 'does'
        return { number: at + 1, kind, takesMs: Math.round(takesMs * random()) }
      }),
      ending,
      maxToolCalls: ending === 'at its cap' ? Math.ceil(count / 2) : count + 1,
    }
  })
}

/** For a request to the fleet. */
export function jsonOf({ runId, turns, ending, maxToolCalls }: PlannedRun) {
  return { runId, turns: turns.map((turn) => ({ ...turn })), ending, maxToolCalls }
}
