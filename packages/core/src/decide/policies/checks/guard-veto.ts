import type { RunState } from '../../../state/index.ts'
import type { PolicyVerdict } from '../policy.ts'

/**
 * A guard has no vote that could be outvoted: unless it has passed, nothing is verified. Undefined: there is none, or it
 * has passed.
 */
export function guardVeto(state: RunState): PolicyVerdict | undefined {
  for (const { name, role } of state.settings.verifiers) {
    if (role !== 'guard') continue
    const status = state.checks[name]?.latest?.status ?? 'error'
    // A guard that was left out has not looked.
    if (status !== 'passed') return { status: status === 'skipped' ? 'error' : status, because: [name] }
  }
  return undefined
}
