/** The checks as a stop condition of the SDK: a generation ends as soon as they pass, whatever its model would do next. */
import { assertKnownKeys } from '@donecheck/engine/base'
import { claimKeys, verifyClaim, type ClaimOptions, type Verification } from '../../../session/index.ts'
import type { RequestedSteps } from './conditions.ts'

export type WhenVerifiedOptions = ClaimOptions

/** Goes into `stopWhen` as it is. */
export interface WhenVerified {
  (asked: RequestedSteps): Promise<boolean>
  /** What the checks have said last. Undefined: they were not asked. */
  readonly verification: Verification | undefined
}

/**
 * `stopWhen: [isStepCount(20), whenVerified({ hardVerifiers: […] })]`. The SDK asks after every step whose calls have run, and never
 * at the model's own end: the checks run that often, and what they say at the end is not asked for. To have that, and the agent sent
 * back, see `verifiedAgent`.
 * @throws {UsageError} when it is asked, for options that contradict each other or can never work
 */
export function whenVerified(options: WhenVerifiedOptions): WhenVerified {
  assertKnownKeys(options, claimKeys, 'whenVerified')
  let verification: Verification | undefined
  const condition = async ({ steps }: RequestedSteps): Promise<boolean> => {
    const text = steps.at(-1)?.text ?? ''
    const claim = { task: 'a generation of the AI SDK', text }
    verification = await verifyClaim({ ...options, agent: 'ai-sdk' }, claim)
    return verification.isVerified
  }
  return Object.defineProperties(Object.assign(condition, { verification: undefined }), {
    verification: { get: () => verification, enumerable: true },
  })
}
