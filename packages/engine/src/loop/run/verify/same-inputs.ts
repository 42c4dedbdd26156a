import type { Verifier } from '../../../ports/checks.ts'
import { digestOf } from '../calls/canonical-digest.ts'
import type { Session } from '../session/session.ts'

const asked = new WeakMap<Session, Map<string, string>>()

/** Whether a verifier is defined, and its environment is, as when it was last asked in this process; true where nobody knows. */
export function hasSameInputs({ description, inputs }: Verifier, session: Session): boolean {
  const known = asked.get(session) ?? new Map<string, string>()
  asked.set(session, known)
  const before = known.get(description.name)
  const now = inputs === undefined ? '' : digestOf([inputs.definition, inputs.environmentDigest ?? null])
  known.set(description.name, now)
  return before === undefined || before === now
}
