/** What a sub-run that never came to its end has spent: as much as its record says, else all that it was given. */
import { fold, spend, spendSubRun, type RunState } from '@donecheck/core/state'
import type { Consumption } from '@donecheck/core/budgets'
import type { FactOf } from '@donecheck/core/events'
import type { EventLog } from '../../../ports/store.ts'
import { costOfUsage, guessUsage } from '../perform/estimate-cost.ts'

type Runs = Pick<EventLog, 'read'>

/** The end of a sub-run, told by somebody who was not there. */
export async function readSubRunOutcome(runs: Runs, childRunId: string): Promise<FactOf<'sub-run-ended'>> {
  const state = await readState(runs, childRunId)
  const spent = state === undefined ? null : await consumptionOfRun(state, runs, new Set([childRunId]))
  const transition = state?.phase.kind === 'stopped' ? state.phase.transition : undefined
  return {
    type: 'sub-run-ended',
    childRunId,
    spent,
    outcome: transition?.outcome ?? null,
    message: transition?.message ?? 'its process ended before it did',
  }
}

/** All that a run has spent, its own sub-runs included. Null: some of it is not known. */
export async function consumptionOfRun(
  state: RunState,
  runs: Runs,
  seen: ReadonlySet<string> = new Set([state.runId]),
): Promise<Consumption | null> {
  if (Object.keys(state.subRuns.lost).length > 0) return null
  let spent = withCallInFlight(state)
  for (const { childRunId } of state.subRuns.open) {
    // A record that names itself as its part was not written by us.
    const child = seen.has(childRunId) ? undefined : await readState(runs, childRunId)
    const more =
      child === undefined ? null : await consumptionOfRun(child, runs, new Set([...seen, childRunId]))
    if (more === null) return null
    spent = spendSubRun({ ...state, consumption: spent }, more)
  }
  return spent
}

/** A call that was announced counts, whatever became of it (I9). */
function withCallInFlight(state: RunState): Consumption {
  if (state.phase.kind !== 'calling') return state.consumption
  const usage = guessUsage('', state)
  return spend(state.consumption, usage, costOfUsage(usage, state))
}

/** Undefined: there is no record, or none that can be read. */
async function readState(runs: Runs, runId: string): Promise<RunState | undefined> {
  try {
    return fold(await runs.read(runId))
  } catch {
    return undefined
  }
}
