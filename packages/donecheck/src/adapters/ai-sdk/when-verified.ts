/** The checks as a stop condition of the SDK: a generation ends as soon as they pass, whatever its model would do next. */
import { assertKnownKeys, type OptionKeys } from '../../option-keys.ts'
import { chosenRideKeys, type RideOptions, type Verification } from '../../ride/index.ts'
import { verifiedClaim } from '../../told-ride.ts'
import type { AskedSteps } from './conditions.ts'

export type WhenVerifiedOptions = Omit<RideOptions, 'agent' | 'sessionId'>

const whenVerifiedKeys: OptionKeys<WhenVerifiedOptions> = {
  ...chosenRideKeys,
  reportsUsage: true,
  reportsCost: true,
  silentFailures: true,
}

/** Goes into `stopWhen` as it is. */
export interface WhenVerified {
  (asked: AskedSteps): Promise<boolean>
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
  assertKnownKeys(options, whenVerifiedKeys, 'whenVerified')
  let verification: Verification | undefined
  const condition = async ({ steps }: AskedSteps): Promise<boolean> => {
    const text = steps.at(-1)?.text ?? ''
    const claim = { task: 'a generation of the AI SDK', text }
    verification = await verifiedClaim({ ...options, agent: 'ai-sdk' }, claim)
    return verification.isVerified
  }
  return Object.defineProperties(Object.assign(condition, { verification: undefined }), {
    verification: { get: () => verification, enumerable: true },
  })
}
