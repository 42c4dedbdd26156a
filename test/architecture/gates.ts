/** Every gate of the tree, in the order in which they are read. */
import { addresses, lockFile } from './addresses.ts'
import { circles } from './circles.ts'
import { direction, doors, testing } from './direction.ts'
import { budget, doorWidth, entries } from './houses.ts'
import { prose } from './prose.ts'
import { exportsMap, frontDoor } from './published.ts'
import { append, purity } from './purity.ts'
import { fileSize, functionSize } from './sizes.ts'
import { onePlace, vocabulary } from './vocabulary.ts'
import { noAny, noDefaultExport, noNonNull, noStarExport } from './wording.ts'

export const gates = [
  direction,
  doors,
  testing,
  circles,
  purity,
  append,
  exportsMap,
  frontDoor,
  entries,
  doorWidth,
  budget,
  vocabulary,
  onePlace,
  prose,
  fileSize,
  functionSize,
  noAny,
  noDefaultExport,
  noNonNull,
  noStarExport,
  addresses,
  lockFile,
] as const

export type GateName = (typeof gates)[number]['name']
