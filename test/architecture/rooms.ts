/** The house: packages, their rooms from the ground up, who is public, who is pure. */

import { publishedPackages } from '../../scripts/release-problems.ts'

export interface Room {
  /** From the root of the repository, with a `/` at its end. */
  readonly folder: string
  /** A room imports lower levels only. */
  readonly level: number
  /** Rooms on the same level that it may import all the same. */
  readonly neighbours?: readonly string[]
}

export const packageNames = publishedPackages
export type PackageName = (typeof packageNames)[number]

/** Lines of source, tests apart, that a house may have. Whoever makes one smaller lowers its number. */
export const budgetLines: Readonly<Record<string, number>> = {
  'packages/core/src': 10_950,
  'packages/engine/src/base': 585,
  'packages/engine/src/ports': 1_100,
  'packages/engine/src/analysis': 7_560,
  'packages/engine/src/system': 8_000,
  'packages/engine/src/checks': 15_360,
  'packages/engine/src/insight': 3_855,
  'packages/engine/src/policy': 5_420,
  'packages/engine/src/loop': 10_300,
  'packages/engine/src/testing': 1_570,
  'packages/agents/src': 12_500,
  'packages/server/src': 3_010,
  'packages/web/src': 4_010,
  'packages/fleet/src': 4_570,
  'packages/conformance/src': 1_500,
  'packages/donecheck/src': 19_910,
}

/** Levels that hold a list of like things: entries that stand there. Whoever groups one lowers its number. */
export const longerLists: Readonly<Record<string, number>> = {
  'packages/core/src/rules/detectors': 17,
  'packages/engine/src/analysis/shell': 18,
}

/**
 * From the ground up: a row may import the rows above it in this list, and never itself sideways. A room is named by its
 * package and its last folder: `engine/shell` lies in `packages/engine/src/analysis/shell/`. A room may lie in the folder of another,
 * as `core/policies` does in that of `core/decide`: a file belongs to the innermost.
 */
const levels: readonly (readonly string[])[] = [
  ['core/base'],
  ['core/events/verdicts', 'core/goal', 'core/usage'],
  ['core/secrets', 'core/budgets', 'core/events/gate'],
  ['core/events/settings', 'core/events/transitions'],
  ['core/events'],
  ['core/state/activity'],
  ['core/state'],
  ['core/state/words'],
  [
    'core/rules/caps',
    'core/rules/detectors',
    'core/rules/soft-verifiers',
    'core/decide/prompts',
    'core/decide/stops',
  ],
  ['core/decide/aggregate'],
  ['core/decide'],
  ['core'],
  ['core/testing'],
  ['engine/base'],
  ['engine/ports'],
  ['engine/analysis/shell', 'engine/analysis/patch'],
  ['engine/analysis/protect'],
  ['engine/analysis/tamper', 'engine/analysis/sides'],
  ['engine/system/process'],
  ['engine/system/files', 'engine/system/store', 'engine/system/sandbox', 'engine/system/models'],
  ['engine/system/trees'],
  ['engine/checks/verify', 'engine/checks/workspace', 'engine/checks/receipt'],
  ['engine/checks/judge', 'engine/checks/heartbeat', 'engine/checks/calibration'],
  ['engine/insight/recordings', 'engine/insight/memory'],
  ['engine/insight/backtest', 'engine/insight/trajectories'],
  ['engine/insight/insights'],
  ['engine/policy/gate', 'engine/policy/callbacks', 'engine/policy/approvals'],
  [
    'engine/loop/run',
    'engine/loop/agents',
    'engine/loop/tools',
    'engine/loop/display',
    'engine/loop/telemetry',
  ],
  ['engine/loop/compose', 'engine/testing'],
  ['engine/insight/environments'],
  ['engine'],
  ['agents/protocol/host', 'agents/protocol/registry'],
  ['agents/protocol/stream'],
  ['agents/protocol/hooks', 'agents/protocol/acp'],
  ['agents/protocol/settings'],
  ['agents/session'],
  ['agents/adapters'],
  ['agents'],
  ['server/access', 'server/live', 'server/metrics'],
  ['server/api', 'server/webhooks'],
  ['server/http', 'server/client'],
  ['web/data'],
  ['web/fold'],
  ['web/parts'],
  ['web/pages'],
  ['web'],
  ['server'],
  ['fleet/postgres', 'fleet/schedule'],
  ['fleet/coordinator'],
  ['fleet/worker'],
  ['fleet/local'],
  ['fleet'],
  ['conformance'],
  ['donecheck/config', 'donecheck/terminal'],
  ['donecheck/mcp', 'donecheck/chat'],
  ['donecheck/cli', 'donecheck'],
]

/** Stands for every adapter: each is a room of its own. */
const adaptersRow = 'agents/adapters'

/** Rooms that share a level and all the same stand one on the other. */
const neighbours: Readonly<Record<string, readonly string[]>> = {}

/** Folders of rooms that are no rooms themselves. */
const houses: readonly string[] = [
  'adapters',
  ...levels.flat().flatMap((path) => {
    const [packageName, house = '', room] = path.split('/')
    return room === undefined || levels.flat().includes(`${packageName}/${house}`) ? [] : [house]
  }),
]

export const rooms: ReadonlyMap<string, Room> = new Map(
  levels.flatMap((names, level) =>
    names.map((path): [string, Room] => {
      const [packageName = '', ...inner] = path.split('/')
      const folder = [`packages/${packageName}/src`, ...inner, ''].join('/')
      const name = path === adaptersRow || inner.length === 0 ? path : `${packageName}/${inner.at(-1) ?? ''}`
      const beside = neighbours[name]
      return [name, { folder, level, ...(beside === undefined ? {} : { neighbours: beside }) }]
    }),
  ),
)

/** No clock, no randomness, no input and output (I3). */
export const pureRooms: readonly string[] = [...rooms]
  .filter(([name, { folder }]) => isPureFolder(folder) && name !== 'core/testing')
  .map(([name]) => name)

function isPureFolder(folder: string): boolean {
  return folder.startsWith('packages/core/src/') || folder.startsWith('packages/engine/src/analysis/')
}

/** What pure rooms may import from outside: libraries that are pure themselves. */
export const pureLibraries: readonly string[] = ['zod', 'diff', '@babel/parser', 'picomatch', 'unbash']

/** The rooms that append events (I1), and the rooms that implement what it appends to. */
export const appendingRooms: readonly string[] = [
  'engine/run',
  'engine/store',
  'core/testing',
  'engine/testing',
]

/** The test kits: tests and examples import them, and no source. Contract suites bring the test runner along. */
export const testingRooms: readonly string[] = ['core/testing', 'engine/testing']
export const contractFolders: readonly string[] = [
  'packages/core/src/testing/generated/',
  'packages/engine/src/testing/contracts/',
  'packages/agents/src/protocol/hooks/fixtures/',
]

/** What users of a library import. All other rooms are reached as `internal/FOLDER`, by our own packages alone. */
export const publicSubpaths: Readonly<Record<PackageName, readonly string[]>> = {
  donecheck: ['.'],
  core: ['.', './testing'],
  engine: [
    '.',
    './verify',
    './judge',
    './gate',
    './tools',
    './store',
    './memory',
    './receipt',
    './display',
    './environments',
    './testing',
    './telemetry',
  ],
  agents: ['./acp', './ai-sdk', './claude-code', './codex', './langchain', './mastra', './openai-agents'],
  server: ['.', './client'],
  fleet: ['.'],
  conformance: ['.'],
}

/**
 * Doors that are one file, without the ending: beside the door of their room, or instead of it where every file of the room is a
 * door (the ports).
 */
export const singleFiles: Readonly<Partial<Record<PackageName, readonly string[]>>> = {
  core: ['testing/facts'],
  engine: [
    'checks/verify/opinions/judging',
    'system/store/parts',
    'testing/contracts/index',
    ...[
      'callbacks',
      'checks',
      'gate',
      'judges',
      'loop',
      'memory',
      'questions',
      'options',
      'replies',
      'store',
    ].map((port) => `ports/${port}`),
  ],
}

export const singlePaths: readonly string[] = packageNames.flatMap((name) =>
  (singleFiles[name] ?? []).map((file) => `packages/${name}/src/${file}.ts`),
)

/** The room that a path belongs to, such as `engine/shell`, or `engine` for its front door; undefined outside of packages. */
export function roomOf(path: string): string | undefined {
  const [, packageName, inside] = /^packages\/([^/]+)\/src\/(.+)$/.exec(path) ?? []
  if (packageName === undefined || inside === undefined) return undefined
  const known = innermost.find(([, { folder }]) => path.startsWith(folder))
  if (known !== undefined) return known[0]
  const [first = '', second] = inside.split('/').slice(0, -1)
  return [packageName, ...[houses.includes(first) ? second : first].filter((part) => part)].join('/')
}

/** The longest folder first; without front doors, to which every stranger would belong. */
const innermost = [...rooms]
  .filter(([name]) => name.includes('/') && name !== adaptersRow)
  .toSorted(([, one], [, other]) => other.folder.length - one.folder.length)

/** The house of a file, by its folder: a house of the engine, one of its rooms that stands alone, or the whole package. */
export function houseOf(path: string): string {
  const [, root = '', first = ''] = /^(packages\/[^/]+\/src)\/([^/]+)/.exec(path) ?? []
  return root === 'packages/engine/src' && !first.endsWith('.ts') ? `${root}/${first}` : root
}

/** The entry of the table; undefined for a room that nobody put into it. Every adapter is a room of its own. */
export function entryOf(room: string): Room | undefined {
  const known = rooms.get(room)
  if (known !== undefined || !room.startsWith('agents/')) return known
  return rooms.get(adaptersRow)
}

/** A room is entered through its index, and through a single file that is a subpath. */
export function isDoor(path: string): boolean {
  const room = roomOf(path)
  if (room === undefined) return false
  return path === doorOf(room) || singlePaths.includes(path)
}

/** The index of a room, whether it is there or not. */
export function doorOf(room: string): string {
  const known = rooms.get(room)
  if (known !== undefined) return `${known.folder}index.ts`
  const [packageName = '', name = ''] = room.split('/')
  return `packages/${packageName}/src/adapters/${name}/index.ts`
}

/** A contract suite, which tests enter directly. Files in folders below are its parts. */
export function isContract(path: string): boolean {
  return contractFolders.some((folder) => path.startsWith(folder) && !path.slice(folder.length).includes('/'))
}
