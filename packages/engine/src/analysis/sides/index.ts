/** Which side a changed file stands on: the product that the agent was asked to change, or the checks that decide whether it did. */
export { decidesByName } from './place/by-name.ts'
export { isLoadedUnasked } from './place/loaded-unasked.ts'
export { placeChanges } from './place/place-changes.ts'
export { sideReasons } from './reasons.ts'
export type { Placement, ReadableTree } from './request.ts'
export { independentText } from './split/independent-text.ts'
export { filesReachedFrom } from './tree/reached-from.ts'
