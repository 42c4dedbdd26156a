/** The work tree as a whole: is it the same as before, was anything done to its checks, and where are they run? */
export { gitOrWalkWorkspace } from './fingerprint.ts'
export { tamperGuard } from './guard/tamper-guard.ts'
export { expiredWaivers, type GuardWaiver, type TamperGuardOptions } from './guard/options.ts'
export type { Dependencies } from './clean-copy/dependencies.ts'
export { allowOpenChanges, explainTrees, type ExplainedFile } from './explain-trees.ts'
export type { TreesSource } from './guard/sides-of-run.ts'
export { probeTrees, type ProbeTreesOptions } from './probe-trees.ts'
