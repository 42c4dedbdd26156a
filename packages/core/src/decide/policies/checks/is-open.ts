import type { Verdict } from '../../../events/verdicts/index.ts'

/** It has not passed, and nobody has waived it: also what did not run because of another check is open. */
export function isOpen({ status, qualifiers }: Verdict): boolean {
  return status !== 'passed' && !qualifiers.includes('waived')
}
