/** Which side a changed file stands on: the product that the agent was asked to change, or the checks that decide whether it did. */
export { decidesByName, isLoadedUnasked } from './place/by-name.ts'
export { placeChanges } from './place/place-changes.ts'
export { sideReasons, type Placement } from './reasons.ts'
export type { ReadableTree } from './request.ts'
export { independentText } from './split/independent-text.ts'
export { filesReachedFrom } from './tree/nodes.ts'
