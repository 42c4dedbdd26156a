/** Layers of the packages, as the diagram of ARCHITECTURE.md shows them. */
import { rooms } from './rooms.ts'

/** @returns names such as `engine/checks`, or `core` for a package without layers of its own; the highest first */
export function layerNames(): readonly string[] {
  const names = [...rooms.keys()].map(findLayer).filter((name) => name !== undefined)
  return [...new Set(names)].toReversed()
}

/** `engine/shell` is part of `engine/analysis`. Entry points of packages and test kits are part of no layer. */
function findLayer(room: string): string | undefined {
  if (!room.includes('/') || room.endsWith('/testing')) return undefined
  const folder = rooms.get(room)?.folder ?? ''
  const containsOthers = [...rooms.values()].some(
    (other) => other.folder !== folder && other.folder.startsWith(folder),
  )
  if (containsOthers && folder !== '') return room
  const [, packageName = '', layer] = /^packages\/([^/]+)\/src\/(?:([^/]+)\/[^/]+\/)?/.exec(folder) ?? []
  if (packageName === '') return room.split('/')[0]
  return layer === undefined ? packageName : `${packageName}/${layer}`
}

/** @returns the first words of the lines of the first code block */
export function readDiagram(page: string): readonly string[] {
  const block = /^```\n(.*?)^```/msu.exec(page)?.[1] ?? ''
  return block
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' ')[0] ?? '')
}
