/** For every gate at least one tree that it must catch and one that it must let through: the type asks for the gate. */
import type { GateName } from '../gates.ts'
import { plantedAddresses, plantedLockFile } from './addresses.ts'
import { plantedCircles, plantedDirection, plantedDoors, plantedTesting } from './direction.ts'
import { plantedBudget, plantedDoorWidth, plantedEntries } from './houses.ts'
import type { Planted } from './planted.ts'
import { plantedProse } from './prose.ts'
import { plantedExportsMap, plantedFrontDoor } from './published.ts'
import { plantedAppend, plantedPurity } from './purity.ts'
import { plantedFileSize, plantedFunctionSize } from './sizes.ts'
import { plantedOnePlace, plantedVocabulary } from './vocabulary.ts'
import { plantedAny, plantedDefaultExport, plantedNonNull, plantedStarExport } from './wording.ts'

export const planted: Readonly<Record<GateName, readonly Planted[]>> = {
  direction: plantedDirection,
  doors: plantedDoors,
  testing: plantedTesting,
  circles: plantedCircles,
  purity: plantedPurity,
  append: plantedAppend,
  'exports-map': plantedExportsMap,
  'front-door': plantedFrontDoor,
  entries: plantedEntries,
  'door-width': plantedDoorWidth,
  budget: plantedBudget,
  vocabulary: plantedVocabulary,
  'one-place': plantedOnePlace,
  prose: plantedProse,
  'file-size': plantedFileSize,
  'function-size': plantedFunctionSize,
  any: plantedAny,
  'default-export': plantedDefaultExport,
  'non-null': plantedNonNull,
  'star-export': plantedStarExport,
  addresses: plantedAddresses,
  'lock-file': plantedLockFile,
}
