import type { RunState } from '../../../state/index.ts'
import type { VerdictStatus } from '../../../events/verdicts/index.ts'
import type { VerifierRole } from '../../../events/settings/index.ts'

/** Of the checks that had a vote and an answer: how many passed. */
export interface HeldOutGap {
  readonly shown: PassedShare
  readonly heldOut: PassedShare
  /** Share of the shown ones less share of the held-out ones, -1 to 1; null where one of both has none. */
  readonly gap: number | null
}

interface PassedShare {
  readonly passed: number
  readonly total: number
}

interface AnsweredCheck {
  readonly role: VerifierRole
  /** Null: it was never asked. */
  readonly verdict: { readonly status: VerdictStatus } | null
}

/** How much better the shown checks look than those that the drive never saw. Null: nothing was held out. */
export function heldOutGap(checks: readonly AnsweredCheck[]): HeldOutGap | null {
  if (!checks.some(({ role }) => role === 'held-out')) return null
  const [shown, heldOut] = [shareOf(checks, 'check'), shareOf(checks, 'held-out')]
  const hasBoth = shown.total > 0 && heldOut.total > 0
  const gap = hasBoth ? shown.passed / shown.total - heldOut.passed / heldOut.total : null
  return { shown, heldOut, gap }
}

/** The same of a run as far as it is; what runs last counts with the latest that it said. */
export function heldOutGapOf({ settings, checks }: RunState): HeldOutGap | null {
  return heldOutGap(
    settings.verifiers.map(({ name, role }) => ({ role, verdict: checks[name]?.latest ?? null })),
  )
}

/** A skipped check has no answer. */
function shareOf(checks: readonly AnsweredCheck[], role: 'check' | 'held-out'): PassedShare {
  const answered = checks.filter(
    (check) => check.role === role && check.verdict !== null && check.verdict.status !== 'skipped',
  )
  const passed = answered.filter(({ verdict }) => verdict?.status === 'passed')
  return { passed: passed.length, total: answered.length }
}
