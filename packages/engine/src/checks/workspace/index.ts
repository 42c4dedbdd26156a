/** The work tree as a whole: is it the same as before, was anything done to its checks, and where are they run? */
export { faultTrial, tamperGuard } from './guard/tamper-guard.ts'
export { guardMemoryFile } from './guard/authority.ts'
export { type GuardWaiver, type TamperGuardOptions } from './guard/options.ts'
export { allowOpenChanges, changesSinceBaseline, listSidedFiles, type SidedFile } from './run-changes.ts'
export { tidyStorage, type ProjectStorage } from './clean-room/storage.ts'
export { keptTrees, type KeptTree, type KeptTrees, type TreeDifference } from './kept-trees.ts'
