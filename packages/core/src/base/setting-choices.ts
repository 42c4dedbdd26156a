/** What some settings may be. Apart from the facts, so that a command line is read without their parsers. */

/**
 * `checks`: checks that were red before end the run when green. `checks-and-claim`: the drive must claim too. Checks that
 * were green before always need the claim, and a change (section 4.4).
 */
export const completeWhenChoices = ['checks', 'checks-and-claim'] as const
export type CompleteWhen = (typeof completeWhenChoices)[number]

export const verifyWhenChoices = ['every-turn', 'on-change', 'on-claim', 'on-change-or-claim'] as const
export type VerifyWhen = (typeof verifyWhenChoices)[number]

/** `shadow`: what would have been found is recorded, and nothing is done about it. */
export const ruleModes = ['on', 'shadow', 'off'] as const
export type RuleMode = (typeof ruleModes)[number]

/** Where a person answers; `page`: elsewhere too, and a run without a terminal waits for it. */
export const askChoices = ['terminal', 'page'] as const

export const sandboxDrivers = ['off', 'bubblewrap', 'sandbox-runtime'] as const

/** `auto`: the best that works here. Another one is taken as said, or refused. */
export const sandboxChoices = ['auto', ...sandboxDrivers] as const
export type SandboxChoice = (typeof sandboxChoices)[number]

/** Checks that are no command, by what they look at. */
export const checkKinds = [
  'schema',
  'json',
  'text',
  'files',
  'citations',
  'similarity',
  'git',
  'patch',
  'http',
  'process',
  'human',
  'judge',
] as const
export type CheckKind = (typeof checkKinds)[number]

/** Several checks with one verdict. */
export const combinationKinds = ['all', 'any', 'quorum', 'weighted'] as const

/** What becomes of a reply that no judge could decide on: it is delivered as unverified, or kept back. */
export const undecidedChoices = ['deliver', 'withhold'] as const
