/** What a ride is made of. Whatever takes time to load stands behind a function: most events need none of it. */
import type { HostAct } from '../agents/index.ts'
import type { Judgement } from '../core/index.ts'
import type { Fact, RunEvent, RunState, SecretValues } from '../events/index.ts'
import type { Approver, Clock, Gate, Ids, Store } from '../ports.ts'
import type { SessionParts, World } from '../run/index.ts'
import type { PrepareAct } from './act.ts'
import type { Engine } from './engine.ts'
import type { RideChoices } from './ride.ts'

export type RideStore = Pick<
  Store,
  | 'append'
  | 'attach'
  | 'read'
  | 'acquire'
  | 'renew'
  | 'release'
  | 'hostSession'
  | 'hostSessions'
  | 'keepHostSession'
>

export interface RideParts {
  readonly agent: string
  readonly sessionId: string
  readonly store: RideStore
  readonly clock: Clock
  readonly ids: Ids
  readonly secrets: SecretValues
  readonly judgement: Judgement
  readonly problemOf: SessionParts['problemOf']
  readonly workFolder: string | null
  /** Absolute; what lies there holds the agent, and is not changed by it. */
  readonly ownPlaces: readonly string[]
  readonly choices: Required<Omit<RideChoices, 'prices' | 'reportsCost'>>
  /** When a person last said that the tree is as it should be; absent: they have no way to. */
  readonly agreedAtMs?: number
  /** Ends the ride: its reason names who asked. */
  readonly signal: AbortSignal
  /** Hooks of the user stand around calls: every call must be shown to them. */
  readonly watchesCalls: boolean
  /** Also those that may run are remembered until they have: the host may not tell of each. */
  readonly keepsProposals: boolean
  /** @param runId whose untouched tree counts */
  gate(runId: string, act: HostAct['kind']): Promise<RideGate>
  readonly approver: Approver | undefined
  /** What a run begins with. */
  beginning(): Promise<RideBeginning>
  /**
   * All doors, for a look and a verification.
   * @param baselineRunId whose untouched tree is compared with; null: that of the run itself
   */
  world(baselineRunId: string | null): Promise<RideWorld>
  readonly normaliseResult?: World['normaliseResult']
  readonly onEvent: (event: RunEvent, state: RunState) => void
}

export interface RideGate {
  readonly gate: Gate
  /** Finds out what a call would do. */
  readonly prepare: PrepareAct
}

export interface RideWorld {
  readonly doors: Omit<World, 'signal' | 'history' | 'drive' | 'tools'>
  readonly engine: Engine
}

export interface RideBeginning {
  readonly started: Extract<Fact, { type: 'run-started' }>
}
