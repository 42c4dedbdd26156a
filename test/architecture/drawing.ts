/** The drawing of the house in ARCHITECTURE.md, made of the table of rooms and of the imports that there are. */
import { arrowsOf } from './imports.ts'
import type { Project } from './project.ts'
import { roomOf, rooms } from './rooms.ts'

interface Floor {
  /** Such as `engine/checks`, or `core` for a package without houses. */
  readonly name: string
  readonly rooms: readonly string[]
  /** Names of floors that its files import, the nearest first; the floors of the core are one to whoever stands above it. */
  readonly standsOn: readonly string[]
}

/** One line for every house, the highest first: its rooms, and on which houses they stand. */
export function drawingOf(project: Project): string {
  const floors = floorsOf(project)
  const cells = floors.map(({ name, rooms: names, standsOn }) => [
    name,
    names.join(' '),
    standsOn.length === 0 ? '' : `→ ${standsOn.join(' ')}`,
  ])
  const widths = [0, 1].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function floorsOf(project: Project): readonly Floor[] {
  const floorOf = rememberFloors()
  const floors = [...rooms.keys()].map(floorOf)
  const order = [...new Set(floors.filter((floor) => floor !== undefined))].toReversed()
  const below = new Map(order.map((name) => [name, new Set<string>()]))
  for (const { from, to } of arrowsOf(project)) {
    const [here, there] = [from, to].map((path) => floorOf(roomOf(path) ?? ''))
    if (here === undefined || there === undefined || here === there) continue
    below.get(here)?.add(here.startsWith('core') ? there : there.replace(/^core\/(?!testing).*/, 'core'))
  }
  return order.map((name) => ({
    name,
    rooms: [...rooms.keys()]
      .filter((room) => floorOf(room) === name)
      .map((room) => (room === 'agents/adapters' ? 'adapters/*' : (room.split('/')[1] ?? '')))
      .toReversed(),
    standsOn: order.filter((other) => below.get(name)?.has(other) === true),
  }))
}

/** `floorOfRoom` for thousands of imports between few rooms. */
function rememberFloors(): typeof floorOfRoom {
  const known = new Map<string, string | undefined>()
  return (room) => {
    if (!known.has(room)) known.set(room, floorOfRoom(room))
    return known.get(room)
  }
}

/** `engine/shell` → `engine/analysis`; a room that others lie in → its own; other rooms → the package; front doors stand on none. */
function floorOfRoom(room: string): string | undefined {
  if (!room.includes('/')) return undefined
  if (room.endsWith('/testing')) return room
  const folder = rooms.get(room)?.folder ?? ''
  const holdsOthers = [...rooms.values()].some(
    (other) => other.folder !== folder && other.folder.startsWith(folder),
  )
  if (holdsOthers && folder !== '') return room
  const [, packageName = '', house] = /^packages\/([^/]+)\/src\/(?:([^/]+)\/[^/]+\/)?/.exec(folder) ?? []
  if (packageName === '') return room.split('/')[0]
  return house === undefined ? packageName : `${packageName}/${house}`
}
