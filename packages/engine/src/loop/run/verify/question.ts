/** What is asked of a verifier, and what comes of it. */
import type { VerificationTrigger } from '@donecheck/core/events'
import type { Verdict } from '@donecheck/core/verdicts'
import type { Attachment, Verifier, VerifierContext } from '../../../ports/checks.ts'
import type { Session } from '../session/session.ts'
import type { World } from '../session/world.ts'
import type { CheckedTree } from './guarded-tree.ts'

export interface Round {
  readonly trigger: VerificationTrigger
  readonly session: Session
  readonly world: World
  readonly tree: CheckedTree
  /** See `ignoredGeneration`. */
  readonly ignored: string
  /** Whether the policy is lost by what has been said until now. */
  readonly isLost?: () => boolean
}

export interface Question {
  readonly verifier: Verifier
  readonly context: VerifierContext
  readonly round: Round
  readonly signal: AbortSignal
}

export interface Asked {
  readonly verdict: Verdict
  readonly attachments: readonly Attachment[]
  /** Under which this verdict may be taken again, once it is known that the tree stood still. */
  readonly key: string | undefined
  /** It is pending until this question is answered, and the run can be suspended until then. */
  readonly openQuestion?: string
}
