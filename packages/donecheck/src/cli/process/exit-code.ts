/** Wrong usage and wrong configuration: nothing was begun. */
export const usageExitCode = 2
/** Something broke that is not the run's own end. */
export const faultExitCode = 70
/** The user ended it. The same as of a run that was interrupted. */
export const interruptedExitCode = 130
