/** Decides the side of a changed file: product, or checks that judge it. */
export {
  findMoves,
  type FolderMove,
  keepModuleTypes,
  type ModuleTypes,
  movedFolders,
  rewriteFolder,
} from './moves.ts'
export { checkRunsOf, startedByChecks } from './check-runs.ts'
export { decidesByName, isLoadedUnasked, isOwnProgram, isProductSource } from './by-name.ts'
export { areTestsNew, placeChanges } from './place-changes.ts'
export {
  type Placement,
  placementOf,
  type ReadableTree,
  type RunEvidence,
  type SideReason,
  sideReasons,
} from './placement.ts'
export { independentText } from './split/independent-text.ts'
export { filesReachedFrom } from './reached.ts'
