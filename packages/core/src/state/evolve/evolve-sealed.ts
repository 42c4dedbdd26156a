import { unaskedCheck } from '../initial-state.ts'
import type { FactOf } from '../../events/index.ts'
import type { CheckState, RunState } from '../state.ts'

/** Each has proven itself on the baseline tree: an acceptance check was red there, a guard green. */
export function checksSealed(state: RunState, { checks }: FactOf<'checks-sealed'>): RunState {
  const proven = checks.map(({ name, kind }): [string, CheckState] => [
    name,
    { ...(state.checks[name] ?? unaskedCheck), baseline: kind === 'acceptance' ? 'failed' : 'passed' },
  ])
  return {
    ...state,
    checks: { ...state.checks, ...Object.fromEntries(proven) },
    isSealed: true,
  }
}
