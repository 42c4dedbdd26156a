import type { Decision } from '@donecheck/core/decide'
import { examineClaim } from '../../../checks/claims/index.ts'
import type { Session } from '../session/session.ts'
import type { World } from '../session/world.ts'

type ExamineClaim = Extract<Decision, { kind: 'examine-claim' }>

/** Looks at what the drive says that it has done. An interrupt alone may leave it without an event. */
export async function lookAtClaim(
  decision: ExamineClaim,
  session: Session,
  { signal }: World,
): Promise<void> {
  const { workFolder } = session.state
  const problems = workFolder === null ? [] : await examineClaim(decision, workFolder, signal)
  if (!signal.aborted) await session.tell({ type: 'claim-examined', problems })
}
