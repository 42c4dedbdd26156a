/** Power: is a check able to fail? Faults are planted in copies of the work tree, and the checks are asked about each. */
export { isMutable, mutantsOf, type ChangedSource, type Mutant, type MutantOptions } from './mutants.ts'
export type { FaultKind } from './mutation.ts'
export { powerProbe, type PowerProbeOptions } from './power-probe.ts'
export { faultTrial, type FaultTrialOptions } from './fault-trial.ts'
