/** How much of what agents bring is recorded. Apart from the shapes, so that whoever bounds loads no parser. */

/** Entries that are recorded of one plan. */
export const maxPlanEntries = 100
