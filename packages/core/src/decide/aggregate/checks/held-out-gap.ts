import type { RunState } from '../../../state/index.ts'
import type { VerdictStatus } from '../../../events/verdicts/index.ts'
import type { VerifierRole } from '../../../events/settings/index.ts'

/** Counts only checks that have a vote and have decided. */
export interface HeldOutGap {
  readonly shown: PassedShare
  readonly heldOut: PassedShare
  /** Pass ratio of shown checks minus that of held-out checks, -1 to 1; null if either group is empty. */
  readonly gap: number | null
}

interface PassedShare {
  readonly passed: number
  readonly total: number
}

interface AnsweredCheck {
  readonly role: VerifierRole
  /** Null if the check has not run. */
  readonly verdict: { readonly status: VerdictStatus } | null
}

/** Null if nothing was held out. */
export function heldOutGap(checks: readonly AnsweredCheck[]): HeldOutGap | null {
  if (!checks.some(({ role }) => role === 'held-out')) return null
  const [shown, heldOut] = [shareOf(checks, 'check'), shareOf(checks, 'held-out')]
  const hasBoth = shown.total > 0 && heldOut.total > 0
  const gap = hasBoth ? shown.passed / shown.total - heldOut.passed / heldOut.total : null
  return { shown, heldOut, gap }
}

/** The gap of a running run; checks that run last count with their latest verdict. */
export function heldOutGapOf({ settings, checks }: RunState): HeldOutGap | null {
  return heldOutGap(
    settings.verifiers.map(({ name, role }) => ({ role, verdict: checks[name]?.latest ?? null })),
  )
}

/** Skipped checks are ignored. */
function shareOf(checks: readonly AnsweredCheck[], role: 'check' | 'held-out'): PassedShare {
  const answered = checks.filter(
    (check) => check.role === role && check.verdict !== null && check.verdict.status !== 'skipped',
  )
  const passed = answered.filter(({ verdict }) => verdict?.status === 'passed')
  return { passed: passed.length, total: answered.length }
}
