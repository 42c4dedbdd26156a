/** The rooms of the package: who stands on which level, who is public, who is pure. */
import { sourceRoot } from './project.ts'

export interface Room {
  /** A room imports lower levels only. */
  readonly level: 0 | 1 | 2 | 3 | 4
  /** Rooms on the same level that it may import all the same. */
  readonly neighbours?: readonly string[]
  /** Source lines, tests apart. Shown in the table; over budget is a conversation, not a failure. */
  readonly budgetLines?: number
}

/** A folder of `src/`, or a file at its root without `.ts`. Every adapter is a room of its own. */
export const rooms: Readonly<Record<string, Room>> = {
  secrets: { level: 0, budgetLines: 500 },
  events: { level: 0, neighbours: ['canonical-json', 'gate-kinds', 'secrets'], budgetLines: 500 },
  version: { level: 0 },
  sha256: { level: 0 },
  'canonical-json': { level: 0 },
  'display-text': { level: 0 },
  'gate-kinds': { level: 0 },

  core: { level: 1, budgetLines: 1500 },
  ports: {
    level: 1,
    neighbours: ['check-ports', 'gate-ports', 'hook-ports', 'store-ports'],
    budgetLines: 300,
  },
  'store-ports': { level: 1, neighbours: ['check-ports', 'errors', 'process'] },
  'gate-ports': { level: 1 },
  'hook-ports': { level: 1 },
  'check-ports': { level: 1, budgetLines: 250 },
  errors: { level: 1 },
  'option-keys': { level: 1, neighbours: ['errors'] },
  'state-home': { level: 1 },
  'real-path': { level: 1 },
  protect: { level: 1, neighbours: ['shell'], budgetLines: 600 },
  tamper: { level: 1, neighbours: ['protect'], budgetLines: 8000 },
  shell: { level: 1, budgetLines: 3500 },
  sides: { level: 1, neighbours: ['protect'], budgetLines: 2300 },
  patch: { level: 1, neighbours: ['errors'], budgetLines: 4000 },
  files: {
    level: 1,
    neighbours: ['errors', 'option-keys', 'patch', 'process', 'real-path', 'state-home'],
    budgetLines: 1600,
  },
  process: { level: 1, neighbours: ['errors'], budgetLines: 800 },

  run: { level: 2, budgetLines: 400 },
  drive: { level: 2, budgetLines: 800 },
  tools: { level: 2, budgetLines: 800 },
  gate: { level: 2, budgetLines: 8000 },
  hooks: { level: 2, budgetLines: 1600 },
  sandbox: { level: 2, budgetLines: 1100 },
  workspace: { level: 2, budgetLines: 3500 },
  verify: { level: 2, budgetLines: 10_000 },
  receipt: { level: 2, budgetLines: 1000 },
  probe: { level: 2, budgetLines: 600 },
  agents: { level: 2, budgetLines: 3200 },
  judge: { level: 2, budgetLines: 300 },
  approve: { level: 2, budgetLines: 300 },
  memory: { level: 2, budgetLines: 500 },
  insight: { level: 2, budgetLines: 800 },
  store: { level: 2, budgetLines: 800 },
  config: { level: 2 },
  report: { level: 2 },

  // The wiring: one room in three files.
  compose: {
    level: 3,
    neighbours: [
      'agent-run',
      'hard-cap',
      'hard-verifiers',
      'checking-options',
      'guarding',
      'gating',
      'hooking',
      'soft-tier',
    ],
    budgetLines: 500,
  },
  'checking-options': { level: 3 },
  guarding: { level: 3 },
  gating: { level: 3, neighbours: ['guarding'] },
  hooking: { level: 3 },
  'agent-run': { level: 3, neighbours: ['hooking'] },
  'hard-cap': { level: 3 },
  'hard-verifiers': { level: 3 },
  'soft-tier': { level: 3 },
  delegate: { level: 3, neighbours: ['compose', 'agent-run', 'hard-cap'] },
  verification: { level: 3, neighbours: ['compose', 'agent-run', 'checking-options'] },
  ride: { level: 3, neighbours: ['compose', 'agent-run', 'hard-cap', 'soft-tier'], budgetLines: 2000 },
  'told-ride': { level: 3, neighbours: ['ride'] },
  adapters: {
    level: 3,
    neighbours: ['ride', 'told-ride', 'compose', 'agent-run', 'verification'],
    budgetLines: 1500,
  },
  testing: { level: 3, budgetLines: 600 },

  cli: { level: 4, budgetLines: 600 },
  server: { level: 4, budgetLines: 700 },
  index: { level: 4 },
}

/** Adapters that speak more than one protocol with their agent. */
const adapterBudgets: Readonly<Record<string, number>> = {
  // `exec`, the app-server with its records and goals, hooks with their trust.
  'adapters/codex': 2500,
  // A stream of lines, the control protocol in which it asks, hooks, and the SDK.
  'adapters/claude-code': 2500,
}

/** The test kit stands beside the wiring: it imports the movers and never the parts that compose chose. */
export const testingRoom = { name: 'testing', contracts: `${sourceRoot}testing/contracts/` } as const

/** No clock, no randomness, no input and output (I3). */
export const pureRooms: readonly string[] = [
  'events',
  'secrets',
  'canonical-json',
  'display-text',
  'gate-kinds',
  'protect',
  'core',
  'patch',
  'shell',
  'sides',
  'tamper',
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

/** The room that appends events (I1), and the rooms that implement what it appends to. */
export const appendingRooms: readonly string[] = ['run', 'store', 'testing']

/** Rooms with an index that are not a subpath of the package. */
export const privateRooms: readonly { readonly room: string; readonly reason: string }[] = [
  { room: 'secrets', reason: 'what a record masks is told by the facts' },
  { room: 'protect', reason: 'what of it is for users stands at the door of tamper/' },
  { room: 'sides', reason: 'what the guard knows of a changed file; its table is printed by the command' },
  { room: 'config', reason: 'its one word for users, defineConfig, stands at the front door' },
  {
    room: 'process',
    reason: 'a means of the verifiers, tools and drives, with no promise to anybody outside',
  },
  {
    room: 'run',
    reason: 'the loop is reached through createAgentLoop; what a host needs stands at the front door',
  },
]

/** The room that a path belongs to, such as `core`, `compose` or `adapters/ai-sdk`; undefined outside `src/`. */
export function roomOf(path: string): string | undefined {
  if (!path.startsWith(sourceRoot)) return undefined
  const [first = '', second, ...rest] = path.slice(sourceRoot.length).split('/')
  if (second === undefined) return first.replace(/\.tsx?$/, '')
  return first === 'adapters' && rest.length > 0 ? `${first}/${second}` : first
}

/** The entry of the table; undefined for a room that nobody put into it. */
export function entryOf(room: string): Room | undefined {
  const entry = rooms[room.startsWith('adapters/') ? 'adapters' : room]
  const budgetLines = adapterBudgets[room]
  return entry === undefined || budgetLines === undefined ? entry : { ...entry, budgetLines }
}

/** A room is one file, or a folder with an index. */
export function isDoor(path: string): boolean {
  const room = roomOf(path)
  return path === `${sourceRoot}${room}.ts` || path === `${sourceRoot}${room}/index.ts`
}

/**
 * A contract suite, which tests enter directly: it brings the test runner along, so that the index of the test kit must do
 * without it. Files in folders below are its parts.
 */
export function isContract(path: string): boolean {
  const { contracts } = testingRoom
  return path.startsWith(contracts) && !path.slice(contracts.length).includes('/')
}
