import type { VerifierDescription } from '@donecheck/core/settings'
import type { Verifier, VerifierReport } from '../../../ports/checks.ts'
import { answerOfHooks } from '../hooks/fire-hooks.ts'
import type { Session } from './session.ts'
import type { World } from './world.ts'

/** It is asked last, when all other checks call the work done, and its veto sends the run on as theirs does. */
export const finalizeDescription: VerifierDescription = {
  name: 'hooks: before_finalize',
  required: true,
  weight: 1,
  deterministic: true,
  reads: 'answer',
  role: 'probe',
}

/** The hooks that stand before the end, as one more check. */
export function finalizeVerifier(session: Session, world: World): Verifier {
  return {
    description: finalizeDescription,
    async verify({ finalText }, signal) {
      const verdicts = Object.values(session.state.checks).flatMap(({ latest }) => latest ?? [])
      const input = { answer: finalText, verdicts }
      const { merged, ran } = await answerOfHooks('before_finalize', input, session, world, signal)
      const { veto } = merged
      const failed = ran.filter(({ effect }) => effect === 'failed' || effect === 'timed-out').length
      if (veto === undefined && failed > 0)
        return { ...agreed, reason: `no hook objects; ${failed} failed open` }
      return veto === undefined ? agreed : { ...agreed, status: 'failed', reason: veto, canRetry: true }
    },
  }
}

const agreed: VerifierReport = {
  status: 'passed',
  reason: 'no hook objects',
  canRetry: false,
  qualifiers: [],
  evidence: [],
}
