import type { CheckedVerifier, HeldOutGap, PassedShare } from './receipt.ts'

/** How much better the shown checks look than those that the drive never saw. Null: nothing was held out. */
export function heldOutGap(checks: readonly CheckedVerifier[]): HeldOutGap | null {
  if (!checks.some(({ role }) => role === 'held-out')) return null
  const [shown, heldOut] = [shareOf(checks, 'check'), shareOf(checks, 'held-out')]
  const hasBoth = shown.total > 0 && heldOut.total > 0
  const gap = hasBoth ? shown.passed / shown.total - heldOut.passed / heldOut.total : null
  return { shown, heldOut, gap }
}

/** A skipped check has no answer. */
function shareOf(checks: readonly CheckedVerifier[], role: 'check' | 'held-out'): PassedShare {
  const answered = checks.filter(
    (check) => check.role === role && check.verdict !== null && check.verdict.status !== 'skipped',
  )
  const passed = answered.filter(({ verdict }) => verdict?.status === 'passed')
  return { passed: passed.length, total: answered.length }
}
