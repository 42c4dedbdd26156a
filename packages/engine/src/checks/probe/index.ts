/** Power: is a check able to fail? Faults are planted in copies of the work tree, and the checks are asked about each. */
export { mutantsOf } from './mutants.ts'
export { powerProbe, type PowerProbeOptions } from './power-probe.ts'
export { faultTrial } from './fault-trial.ts'
