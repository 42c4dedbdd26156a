/** What a hosted session is made of. Whatever takes time to load stands behind a function: most events need none of it. */
import type { HostAct } from '../protocol/host/index.ts'
import type { Judgement } from '@donecheck/core/decide'
import type { Fact, RunEvent } from '@donecheck/core/events'
import type { RunState } from '@donecheck/core/state'
import type { SecretValues } from '@donecheck/core/secrets'
import type { Approver, Gate } from '@donecheck/engine/ports/gate'
import type { Clock, Ids } from '@donecheck/engine/ports/loop'
import type { Store } from '@donecheck/engine/ports/store'
import type * as run from '@donecheck/engine/run'
import type { PrepareAct } from './calls/prepare-call.ts'
import type { HostedSessionChoices } from './session.ts'

type SessionStore = Pick<
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

export interface HostedSessionParts {
  readonly agent: string
  readonly sessionId: string
  readonly store: SessionStore
  readonly clock: Clock
  readonly ids: Ids
  readonly secrets: SecretValues
  readonly judgement: Judgement
  readonly problemOf: run.SessionParts['problemOf']
  readonly workFolder: string | null
  /** Absolute; what lies there holds the agent, and is not changed by it. */
  readonly ownPlaces: readonly string[]
  readonly choices: Required<Omit<HostedSessionChoices, 'prices' | 'reportsCost'>>
  /** When a person last said that the tree is as it should be; absent: they have no way to. */
  readonly agreedAtMs?: number
  /** Ends the hosted session: its reason names who asked. */
  readonly signal: AbortSignal
  /** Hooks of the user stand around calls: every call must be shown to them. */
  readonly watchesCalls: boolean
  /** Also those that may run are remembered until they have: the host may not tell of each. */
  readonly keepsProposals: boolean
  /** @param runId whose baseline tree counts */
  gate(runId: string, act: HostAct['kind']): Promise<SessionGate>
  readonly approver: Approver | undefined
  /** What a run begins with. */
  beginning(): Promise<Extract<Fact, { type: 'run-started' }>>
  /**
   * All doors, for a look and a verification.
   * @param baselineRunId whose baseline tree is compared with; null: that of the run itself
   */
  world(baselineRunId: string | null): Promise<SessionWorld>
  readonly onEvent: (event: RunEvent, state: RunState) => void
}

interface SessionGate {
  readonly gate: Gate
  /** Finds out what a call would do. */
  readonly prepare: PrepareAct
}

/** What looks at the world. */
export type Engine = Pick<typeof run, 'fireRunStarted' | 'observe' | 'perform' | 'takeInRequests' | 'wake'>

export interface SessionWorld {
  readonly doors: Omit<run.World, 'signal' | 'history' | 'drive' | 'tools'>
  readonly engine: Engine
}
