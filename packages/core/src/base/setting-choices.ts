/** Separate from the facts, so that a command line is parsed without loading their schemas. */

/**
 * `checks`: checks that failed before the run end it when they pass. `checks-and-claim`: the agent must also
 * claim done. Checks that passed before always need the claim and a change (section 4.4).
 */
export const completeWhenChoices = ['checks', 'checks-and-claim'] as const
export type CompleteWhen = (typeof completeWhenChoices)[number]

export const verifyWhenChoices = ['every-turn', 'on-change', 'on-claim', 'on-change-or-claim'] as const
export type VerifyWhen = (typeof verifyWhenChoices)[number]

/** `shadow` records findings without acting on them. */
export const ruleModes = ['on', 'shadow', 'off'] as const
export type RuleMode = (typeof ruleModes)[number]

/** Where a person answers. `page`: on the web page too, and a run without a terminal waits for it. */
export const askChoices = ['terminal', 'page'] as const

export const sandboxDrivers = ['off', 'bubblewrap', 'sandbox-runtime'] as const

/** `auto` picks the best driver available here; any other value is used or refused. */
export const sandboxChoices = ['auto', ...sandboxDrivers] as const
export type SandboxChoice = (typeof sandboxChoices)[number]

export const combinationKinds = ['all', 'any', 'quorum', 'weighted'] as const

/** What happens to a reply that no judge could decide on: delivered as unverified, or withheld. */
export const undecidedChoices = ['deliver', 'withhold'] as const
