/** Whether more budget is enough for a run to go on. */
import { evolve, type RunState, type Rule } from '../../state/index.ts'
import type { Budget, CapName } from '../../budgets/index.ts'
import type { RunEvent } from '../../events/index.ts'

/**
 * True when, woken with so much more, the run is no longer at that cap: its next step fits.
 * @param state of a stopped run
 */
export function liftsCap(
  state: RunState,
  cap: CapName,
  added: Partial<Budget>,
  rules: readonly Rule[],
): boolean {
  const header = { schemaVersion: 1, id: '', runId: state.runId, timeMs: state.nowMs } as const
  const events: readonly RunEvent[] = [
    { ...header, sequence: state.sequence + 1, type: 'run-resumed', holder: '' },
    { ...header, sequence: state.sequence + 2, type: 'budget-added', by: '', added },
  ]
  const woken = events.reduce<RunState>(evolve, state)
  return !rules.some((rule) => {
    const finding = rule(woken)
    return finding?.level === 'stop' && finding.stop.reason === 'hard_cap' && finding.stop.cap === cap
  })
}
