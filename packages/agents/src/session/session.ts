import { z } from 'zod'
import { hostedLoopOptions, type AgentLoopOptions } from '@donecheck/engine/internal/loop/compose'
import type { OptionShape } from '@donecheck/engine/internal/base'
import { functionShape } from '@donecheck/engine/internal/ports/options'
import type { HostAnswer, HostEvent } from '../protocol/host/index.ts'
import type { PricesUsd } from '@donecheck/core/internal/budgets'
import type { RunEvent, Fact } from '@donecheck/core/internal/events'
import type { RunState } from '@donecheck/core/internal/state'
import type { StopTransition } from '@donecheck/core/internal/events/transitions'
import type { SecretValues } from '@donecheck/core/internal/secrets'
import type { Approver, Gate } from '@donecheck/engine/internal/ports/gate'
import type { Clock, Ids } from '@donecheck/engine/internal/ports/loop'
import type { Store } from '@donecheck/engine/internal/ports/store'
import type * as run from '@donecheck/engine/internal/loop/run'

export interface AgentSessionChoices {
  /** An undecided check at the claim blocks the agent (default) or lets it stop, unverified. */
  readonly onBrokenCheck?: 'hold' | 'allow-stop'
  /** A claim without changes beyond prose is checked (default), or may stop unverified. */
  readonly whenUnchanged?: 'verify' | 'allow-stop'
  /**
   * Who decides if the gate wants a person; `ask`: the agent's user. Default: the approver, else the agent.
   */
  readonly onGatePrompt?: 'agent' | 'ask' | 'approver'
  /** Runs all checks at the start (default), or only observes the tree, so that any pass counts as news. */
  readonly baseline?: 'checks' | 'tree'
  /** The host reports each reply's usage, so token caps work. */
  readonly reportsUsage?: boolean
  readonly reportsCost?: boolean
  readonly prices?: PricesUsd
  /** The host does not report every failed call; an open one is closed at the next proposal. */
  readonly silentFailures?: boolean
}

export interface AgentSessionOptions
  extends
    AgentSessionChoices,
    Omit<AgentLoopOptions, 'agent' | 'tools' | 'finalSummary' | 'allowConcurrent' | 'verifyReplies'> {
  readonly agent: string
  /** The host's session id. Default: a new one. */
  readonly sessionId?: string
  /** Paths that the agent must not change: relative to the work folder, absolute, or below `~/`. */
  readonly keepUntouched?: readonly string[]
  /** When a person last approved the checks (Unix ms); later unverified sessions keep this baseline. */
  readonly agreedAtMs?: number
  readonly onEvent?: (event: RunEvent, state: RunState) => void
}

type KeysOfHosts = 'agent' | 'sessionId' | 'reportsUsage' | 'reportsCost' | 'silentFailures'

export const chosenSessionOptions = z.strictObject<OptionShape<Omit<AgentSessionOptions, KeysOfHosts>>>({
  ...hostedLoopOptions.shape,
  onBrokenCheck: z.enum(['hold', 'allow-stop']).optional(),
  whenUnchanged: z.enum(['verify', 'allow-stop']).optional(),
  onGatePrompt: z.enum(['agent', 'ask', 'approver']).optional(),
  baseline: z.enum(['checks', 'tree']).optional(),
  prices: z.looseObject({}).optional(),
  keepUntouched: z.array(z.string()).optional(),
  agreedAtMs: z.number().optional(),
  onEvent: functionShape.optional(),
})

export interface AgentSession {
  /**
   * Handles events one after the other.
   * @param signal aborts a verification, which then counts as broken
   * @throws {StoreError} if nothing can be recorded
   */
  observe(event: HostEvent, signal?: AbortSignal): Promise<HostAnswer>
  readonly state: RunState | undefined
  readonly end: StopTransition | undefined
}

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

export interface AgentSessionParts {
  readonly agent: string
  readonly sessionId: string
  readonly store: SessionStore
  readonly clock: Clock
  readonly ids: Ids
  readonly secrets: SecretValues
  /** Applies until the checks are loaded; what ends a turn or a run is decided with those. */
  readonly judging: SessionJudging
  readonly workFolder: string | null
  readonly ownPlaces: readonly string[]
  readonly choices: Required<Omit<AgentSessionChoices, 'prices' | 'reportsCost'>>
  readonly agreedAtMs?: number
  readonly signal: AbortSignal
  /** User hooks wrap calls, so they must see every call. */
  readonly watchesCalls: boolean
  /** Keeps allowed calls until they end, because the host may not report each. */
  readonly keepsProposals: boolean
  gate(): Promise<Gate>
  readonly approver: Approver | undefined
  /** Loads the checks. @param baselineRunId the run whose baseline tree is compared; null for its own */
  world(baselineRunId: string | null): Promise<SessionWorld>
  readonly onEvent: (event: RunEvent, state: RunState) => void
}

export type SessionJudging = Pick<run.SessionParts, 'judgement' | 'problemOf'>

export type Engine = Pick<typeof run, 'fireRunStarted' | 'observe' | 'perform' | 'takeInRequests' | 'wake'>

export interface SessionWorld {
  readonly doors: Omit<run.World, 'signal' | 'history' | 'agent' | 'tools'>
  readonly engine: Engine
  readonly judging: SessionJudging
  readonly beginning: Extract<Fact, { type: 'run-started' }>
}
