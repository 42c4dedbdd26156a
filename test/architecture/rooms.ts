/** The house: packages, their rooms from the ground up, who is public, who is pure. */

export interface Room {
  /** From the root of the repository, with a `/` at its end. */
  readonly folder: string
  /** A room imports lower levels only. */
  readonly level: number
  /** Rooms on the same level that it may import all the same. */
  readonly neighbours?: readonly string[]
}

export const packageNames = ['core', 'engine', 'agents', 'donecheck'] as const
export type PackageName = (typeof packageNames)[number]

/** Lines of source, tests apart, that a house may have. Whoever makes one smaller lowers its number. */
export const budgetLines: Readonly<Record<string, number>> = {
  'packages/core/src': 13_600,
  'packages/engine/src/base': 400,
  'packages/engine/src/ports': 1_100,
  'packages/engine/src/analysis': 15_800,
  'packages/engine/src/system': 6_900,
  'packages/engine/src/checks': 24_600,
  'packages/engine/src/policy': 7_100,
  'packages/engine/src/loop': 9_900,
  'packages/engine/src/testing': 1_900,
  'packages/agents/src': 17_200,
  'packages/donecheck/src': 13_100,
}

/** Doors that are wider than the bar, and by how much. */
export const widerDoors: Readonly<Record<string, number>> = {
  'core/base': 44,
  'core/decide': 76,
  'core/events': 135,
  'core/testing': 56,
  'engine/ports': 84,
  'engine/verify': 45,
}

/**
 * From the ground up: a row may import the rows above it in this list, and never itself sideways. A room is named by its
 * package and its folder without the house: `engine/shell` lies in `packages/engine/src/analysis/shell/`.
 */
const levels: readonly (readonly string[])[] = [
  ['core/base'],
  ['core/secrets'],
  ['core/events'],
  ['core/decide'],
  ['core/testing'],
  ['engine/base'],
  ['engine/ports'],
  ['engine/analysis/source', 'engine/analysis/shell', 'engine/analysis/patch'],
  ['engine/analysis/protect'],
  ['engine/analysis/tamper', 'engine/analysis/sides'],
  ['engine/system/process'],
  ['engine/system/files', 'engine/system/store', 'engine/system/sandbox', 'engine/system/models'],
  ['engine/checks/verify', 'engine/checks/workspace', 'engine/checks/receipt', 'engine/checks/claims'],
  ['engine/checks/probe', 'engine/checks/judge', 'engine/checks/heartbeat', 'engine/checks/calibration'],
  ['engine/checks/seal'],
  ['engine/policy/gate', 'engine/policy/callbacks', 'engine/policy/approvals'],
  ['engine/loop/run', 'engine/loop/drives', 'engine/loop/tools', 'engine/loop/report'],
  ['engine/loop/compose', 'engine/testing'],
  ['engine'],
  ['agents/protocol/host', 'agents/protocol/registry', 'agents/protocol/stream'],
  ['agents/protocol/hooks'],
  ['agents/protocol/settings'],
  ['agents/session'],
  ['agents/adapters', 'agents/testing'],
  ['agents'],
  ['donecheck/config', 'donecheck/terminal'],
  ['donecheck/mcp'],
  ['donecheck/cli', 'donecheck'],
]

/** Rooms that share a level and all the same stand one on the other. */
const neighbours: Readonly<Record<string, readonly string[]>> = {}

/** Folders of rooms. */
const houses = ['analysis', 'system', 'checks', 'policy', 'loop', 'protocol', 'adapters']

export const rooms: ReadonlyMap<string, Room> = new Map(
  levels.flatMap((names, level) =>
    names.map((path): [string, Room] => {
      const [packageName = '', ...inner] = path.split('/')
      const folder = [`packages/${packageName}/src`, ...inner, ''].join('/')
      const name = path === 'agents/adapters' ? path : nameOf(packageName, inner)
      const beside = neighbours[name]
      return [name, { folder, level, ...(beside === undefined ? {} : { neighbours: beside }) }]
    }),
  ),
)

function nameOf(packageName: string, inner: readonly string[]): string {
  const [first = '', ...rest] = inner
  return [packageName, ...(houses.includes(first) ? rest : inner)].join('/')
}

/** No clock, no randomness, no input and output (I3). */
export const pureRooms: readonly string[] = [
  'core/base',
  'core/secrets',
  'core/events',
  'core/decide',
  'engine/patch',
  'engine/protect',
  'engine/shell',
  'engine/sides',
  'engine/source',
  'engine/tamper',
]

/** What pure rooms may import from outside: libraries that are pure themselves. */
export const pureLibraries: readonly string[] = [
  'zod',
  'diff',
  'fastest-levenshtein',
  '@babel/parser',
  'picomatch',
  'unbash',
]

/** The rooms that append events (I1), and the rooms that implement what it appends to. */
export const appendingRooms: readonly string[] = [
  'engine/run',
  'engine/store',
  'core/testing',
  'engine/testing',
]

/** The test kits: tests and examples import them, and no source. Contract suites bring the test runner along. */
export const testingRooms: readonly string[] = ['core/testing', 'engine/testing', 'agents/testing']
export const contractFolders: readonly string[] = [
  'packages/engine/src/testing/contracts/',
  'packages/agents/src/testing/',
]

/** Subpaths that lead to one file of a room: what a bundle of the command must share with the library. */
export const singleFiles: Readonly<Record<string, string>> = {
  'core/activity': 'events/activity/index',
  'engine/errors': 'base/errors',
  'engine/testing/contracts': 'testing/contracts/index',
}

/** The room that a path belongs to, such as `engine/shell`, or `engine` for its front door; undefined outside of packages. */
export function roomOf(path: string): string | undefined {
  const [, packageName, inside] = /^packages\/([^/]+)\/src\/(.+)$/.exec(path) ?? []
  if (packageName === undefined || inside === undefined) return undefined
  const parts = inside.split('/').slice(0, -1)
  const isHouse = houses.includes(parts[0] ?? '')
  return nameOf(packageName, parts.slice(0, isHouse ? 2 : 1))
}

/** The house of a file, by its folder: a house of the engine, one of its rooms that stands alone, or the whole package. */
export function houseOf(path: string): string {
  const [, root = '', first = ''] = /^(packages\/[^/]+\/src)\/([^/]+)/.exec(path) ?? []
  return root === 'packages/engine/src' && !first.endsWith('.ts') ? `${root}/${first}` : root
}

/** The entry of the table; undefined for a room that nobody put into it. Every adapter is a room of its own. */
export function entryOf(room: string): Room | undefined {
  const known = rooms.get(room)
  if (known !== undefined || !room.startsWith('agents/')) return known
  return rooms.get('agents/adapters')
}

/** A room is entered through its index, and through a single file that is a subpath. */
export function isDoor(path: string): boolean {
  const room = roomOf(path)
  if (room === undefined) return false
  if (path === doorOf(room)) return true
  return Object.entries(singleFiles).some(([name, file]) => path === `${sourceRootOf(name)}${file}.ts`)
}

/** The index of a room, whether it is there or not. */
export function doorOf(room: string): string {
  const known = rooms.get(room)
  if (known !== undefined) return `${known.folder}index.ts`
  const [packageName = '', name = ''] = room.split('/')
  return `packages/${packageName}/src/adapters/${name}/index.ts`
}

function sourceRootOf(name: string): string {
  return `packages/${name.split('/')[0] ?? ''}/src/`
}

/** A contract suite, which tests enter directly. Files in folders below are its parts. */
export function isContract(path: string): boolean {
  return contractFolders.some((folder) => path.startsWith(folder) && !path.slice(folder.length).includes('/'))
}
