/** What was found out about the drive's claim to be done, beside what the checks say. */

export const claimProblemKinds = ['does-not-parse', 'not-there'] as const

/** The work folder contradicts the claim. */
export interface ClaimProblem {
  readonly kind: (typeof claimProblemKinds)[number]
  /** As the claim or the call names it. */
  readonly path: string
  /** Half a sentence, such as what the parser says. */
  readonly detail: string
}

/** The work folder was looked at because of the latest claim. */
export interface ClaimExamined {
  readonly type: 'claim-examined'
  readonly problems: readonly ClaimProblem[]
}

/** At most so many problems are recorded of one claim. */
export const maxClaimProblems = 8

/** The rule under which a contradicted claim is noted. */
export const contradictionRule = 'claim_contradicted'
