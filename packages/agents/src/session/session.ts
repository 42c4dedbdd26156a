import { hostedLoopKeys, type AgentLoopOptions } from '@donecheck/engine/internal/loop/compose'
import type { OptionKeys } from '@donecheck/engine/internal/base'
import type { HostAnswer, HostEvent, HostAct } from '../protocol/host/index.ts'
import type { PricesUsd } from '@donecheck/core/internal/budgets'
import type { RunEvent, Fact } from '@donecheck/core/internal/events'
import type { RunState } from '@donecheck/core/internal/state'
import type { StopTransition } from '@donecheck/core/internal/events/transitions'
import type { Judgement } from '@donecheck/core/internal/decide'
import type { SecretValues } from '@donecheck/core/internal/secrets'
import type { Approver, Gate } from '@donecheck/engine/internal/ports/gate'
import type { Clock, Ids } from '@donecheck/engine/internal/ports/loop'
import type { Store } from '@donecheck/engine/internal/ports/store'
import type * as run from '@donecheck/engine/internal/loop/run'
import type { PrepareAct } from './calls/prepare-call.ts'

export interface HostedSessionChoices {
  /** What a check that cannot decide means at the claim: the agent is held (default), or allowed to stop. It never counts as passed. */
  readonly onBrokenCheck?: 'hold' | 'allow-stop'
  /** The claim of a turn that left the tree as it was, or changed only prose in it: checked (default), or allowed to stop as not verified. */
  readonly whenUnchanged?: 'verify' | 'allow-stop'
  /**
   * A call that the gate wants somebody asked about: left to the agent's permissions, asked by the agent, or asked by
   * the approver here. Default: `approver` if there is one, else `agent`.
   */
  readonly onGatePrompt?: 'agent' | 'ask' | 'approver'
  /**
   * What is asked before the agent begins: all checks, or nothing but the tree. With `tree` a check that was green
   * before counts as news. Default `checks`.
   */
  readonly baseline?: 'checks' | 'tree'
  /** The host tells each reply of its model, with what it used: caps on tokens can be kept. */
  readonly reportsUsage?: boolean
  /** The host tells what a reply has cost. */
  readonly reportsCost?: boolean
  readonly prices?: PricesUsd
  /** The host does not tell of calls that failed, or not of all: an open one is closed at the next proposal. */
  readonly silentFailures?: boolean
}

export interface HostedSessionOptions
  extends
    HostedSessionChoices,
    Omit<AgentLoopOptions, 'drive' | 'tools' | 'finalSummary' | 'allowConcurrent' | 'verifyReplies'> {
  readonly agent: string
  /** The host's own name for its session. Default: a new one. */
  readonly sessionId?: string
  /** What the agent must not change: relative to the work folder, absolute, or below `~/`. */
  readonly keepUntouched?: readonly string[]
  /** When a person last agreed to the checks, in milliseconds since 1970: later sessions that did not end as verified keep their baseline. */
  readonly agreedAtMs?: number
  readonly onEvent?: (event: RunEvent, state: RunState) => void
}

type KeysOfHosts = 'agent' | 'sessionId' | 'reportsUsage' | 'reportsCost' | 'silentFailures'

export const chosenSessionKeys: OptionKeys<Omit<HostedSessionOptions, KeysOfHosts>> = {
  ...hostedLoopKeys,
  onBrokenCheck: true,
  whenUnchanged: true,
  onGatePrompt: true,
  baseline: true,
  prices: true,
  keepUntouched: true,
  agreedAtMs: true,
  onEvent: true,
}

export const hostedSessionKeys: OptionKeys<HostedSessionOptions> = {
  ...chosenSessionKeys,
  agent: 'needed',
  sessionId: true,
  reportsUsage: true,
  reportsCost: true,
  silentFailures: true,
}

export interface HostedSession {
  /**
   * Takes one event after the other.
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
  readonly ownPlaces: readonly string[]
  readonly choices: Required<Omit<HostedSessionChoices, 'prices' | 'reportsCost'>>
  readonly agreedAtMs?: number
  readonly signal: AbortSignal
  /** Hooks of the user stand around calls: every call must be shown to them. */
  readonly watchesCalls: boolean
  /** Also those that may run are remembered until they have: the host may not tell of each. */
  readonly keepsProposals: boolean
  /** @param runId whose baseline tree counts */
  gate(runId: string, act: HostAct['kind']): Promise<SessionGate>
  readonly approver: Approver | undefined
  beginning(): Promise<Extract<Fact, { type: 'run-started' }>>
  /** @param baselineRunId whose baseline tree is compared with; null: that of the run itself */
  world(baselineRunId: string | null): Promise<SessionWorld>
  readonly onEvent: (event: RunEvent, state: RunState) => void
}

interface SessionGate {
  readonly gate: Gate
  readonly prepare: PrepareAct
}

export type Engine = Pick<typeof run, 'fireRunStarted' | 'observe' | 'perform' | 'takeInRequests' | 'wake'>

export interface SessionWorld {
  readonly doors: Omit<run.World, 'signal' | 'history' | 'drive' | 'tools'>
  readonly engine: Engine
}
