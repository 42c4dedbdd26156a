/** How much of what agents and claims bring is recorded. Apart from the shapes, so that whoever bounds loads no parser. */

/** At most so many problems are recorded of one claim. */
export const maxClaimProblems = 8

/** The rule under which a contradicted claim is noted. */
export const contradictionRule = 'claim_contradicted'

/** Entries that are recorded of one plan. */
export const maxPlanEntries = 100
