import { RunHeldError, UsageError } from '@donecheck/engine/internal/base'
import type { RunEvent, NewEvent } from '@donecheck/core/internal/events'
import type { RunState } from '@donecheck/core/internal/state'
import type { HostSession, Lease } from '@donecheck/engine/internal/ports/store'
import { LiveRun, type KeptLease, type SessionParts, keepLease } from '@donecheck/engine/internal/loop/run'
import type { HostAnswer } from '../../protocol/host/index.ts'
import { type EarlierRun, findRunElsewhere } from '../baseline.ts'
import { goOn } from '../events/facts.ts'
import {
  freshMemory,
  restoreMemory,
  type SessionMemory,
  type SessionContext,
  buildWorld,
  snapshotOf,
  snapshotText,
} from './session-context.ts'
import type { AgentSessionParts, SessionJudging, SessionWorld } from '../session.ts'
import type { Clock } from '@donecheck/engine/internal/ports/loop'
import { isAlive, thisHolder } from '@donecheck/engine/internal/system/process'

export class SessionRecord {
  readonly #parts: AgentSessionParts
  #session: LiveRun | undefined
  #memory: SessionMemory = freshMemory
  #kept: SessionMemory = freshMemory
  #recorded: RunEvent[] = []
  #lease: Lease | null = null
  #world: { readonly baselineRunId: string | null; readonly doors: Promise<SessionWorld> } | undefined
  #mustFold = false
  #judging: SessionJudging

  constructor(parts: AgentSessionParts) {
    this.#parts = parts
    this.#judging = parts.judging
  }

  get state(): RunState | undefined {
    return this.#session?.state
  }

  forget(): void {
    this.#session = undefined
    this.#mustFold = true
  }

  async isKnown(): Promise<boolean> {
    return (await this.#load()) !== undefined
  }

  async isOpen(): Promise<boolean> {
    const session = await this.#load()
    return session !== undefined && session.state.phase.kind !== 'stopped'
  }

  async rest(signal: AbortSignal): Promise<void> {
    const session = await this.#load()
    if (session === undefined || isResting(session.state)) return
    const waited = await this.#waitForLease(signal).catch((error: unknown) => {
      if (!(error instanceof RunHeldError)) throw error
    })
    if (waited !== undefined) await this.#holding(waited.lease, () => Promise.resolve())
    this.forget()
  }

  /** Serializes the start of runs across processes. @param isNeeded evaluated while holding the lock */
  async start<Value>(
    signal: AbortSignal,
    work: (context: SessionContext, before: EarlierRun | undefined) => Promise<Value>,
    isNeeded: () => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<Value | undefined> {
    const { lease: turn, hasWaited } = await waitForLease(this.#parts.clock, signal, () =>
      acquireLease(`session ${this.#key}`, this.#parts),
    )
    try {
      if (hasWaited) this.forget()
      return (await isNeeded()) ? await this.#begin(signal, work) : undefined
    } finally {
      await turn.release().catch(() => undefined)
    }
  }

  async #begin<Value>(
    signal: AbortSignal,
    work: (context: SessionContext, before: EarlierRun | undefined) => Promise<Value>,
  ): Promise<Value> {
    const before = await this.#earlier()
    const { background } = this.#memory
    this.#memory = { ...freshMemory, background }
    this.#session = this.#sessionOf(this.#parts.ids.next(), [])
    const held = await this.#tryLease()
    if (held === undefined) throw new RunHeldError('the run that was to begin is held by another process')
    return this.#holding(held, () => this.#keeping(work(this.#context(signal), before)))
  }

  async pause(tries: number, signal: AbortSignal): Promise<void> {
    await this.#parts.clock.sleep(Math.min(tries, pollMs), signal)
  }

  /** Does nothing if there is no run, or another process works on it. */
  async withoutLease<Value>(
    signal: AbortSignal,
    work: (context: SessionContext) => Promise<Value>,
  ): Promise<Value | undefined> {
    const session = await this.#load()
    if (session === undefined) return undefined
    if (!isResting(session.state)) {
      const held = await this.#tryLease()
      if (held === undefined) return undefined
      await this.#holding(held, () => recover(this.#context(signal)))
    }
    return this.#keeping(work(this.#context(signal)))
  }

  /** Holds the run's lease: two processes never verify at the same time. */
  async withLease<Value>(
    signal: AbortSignal,
    work: (context: SessionContext, hasWaited: boolean) => Promise<Value>,
  ): Promise<Value | HostAnswer> {
    const { lease, hasWaited } = await this.#waitForLease(signal)
    return this.#holding<Value | HostAnswer>(lease, async () => {
      if (hasWaited) this.forget()
      const session = await this.#load()
      if (session === undefined) throw new RunHeldError('the run is gone')
      const reported = hasWaited ? this.#alreadyTold(session.state) : undefined
      if (reported !== undefined) return reported
      if (!isResting(session.state)) await recover(this.#context(signal), 'claimed')
      return this.#keeping(work(this.#context(signal), hasWaited))
    })
  }

  async #earlier(): Promise<EarlierRun | undefined> {
    const session = await this.#load()
    const own = session === undefined ? undefined : { state: session.state, memory: this.#memory }
    const other = await findRunElsewhere(this.#parts, this.#key)
    if (own === undefined) return other
    const isLater = other !== undefined && other.state.nowMs > own.state.nowMs
    return { ...own, session: 'same', ...(isLater ? { later: other } : {}) }
  }

  /** Another process has just answered the same claim. */
  #alreadyTold(state: RunState): HostAnswer | undefined {
    const { blocked } = this.#memory
    const isOfThisTurn = blocked?.turn === state.turn && state.phase.kind === 'calling'
    return isOfThisTurn ? { kind: 'block', feedback: blocked.feedback } : undefined
  }

  async #load(): Promise<LiveRun | undefined> {
    if (this.#session !== undefined) return this.#session
    const { store } = this.#parts
    const row = await store.hostSession(this.#key)
    if (row === undefined) return undefined
    const snapshot = snapshotOf(row.snapshot)
    const isLatest = row.latestSequence === row.sequence
    this.#memory = restoreMemory(snapshot, isLatest)
    this.#kept = this.#memory
    const mustFold = this.#mustFold || !isLatest
    this.#mustFold = false
    if (snapshot !== undefined && !mustFold) this.#session = this.#sessionOf(row.runId, snapshot.state)
    else {
      const past = await store.read(row.runId)
      if (past.length === 0) return undefined
      this.#session = this.#sessionOf(row.runId, past)
    }
    return this.#session
  }

  get #key(): string {
    const { agent, sessionId } = this.#parts
    return `${agent}/${sessionId}`
  }

  #sessionOf(runId: string, past: readonly RunEvent[] | RunState): LiveRun {
    const { store, clock, ids, secrets, onEvent } = this.#parts
    const currentLease = (): Lease | null => this.#lease
    const currentJudging = (): SessionJudging => this.#judging
    const parts: SessionParts = {
      ...{ log: store, clock, ids, secrets },
      get judgement() {
        return currentJudging().judgement
      },
      problemOf: (fact) => this.#judging.problemOf(fact),
      get lease() {
        return currentLease()
      },
      onEvent: (event, state) => {
        this.#recorded.push(event)
        onEvent(event, state)
      },
      beside: (state) => this.#row(runId, state),
      hasNoConversation: true,
    }
    return new LiveRun(runId, parts, past)
  }

  #row(runId: string, state: RunState): HostSession {
    const memory = this.#memory
    this.#kept = memory
    const { sequence, nowMs } = state
    const snapshot = snapshotText({ state, memory })
    return { key: this.#key, runId, sequence, updatedAtMs: nowMs, snapshot }
  }

  /** Stores changes that no fact records. */
  async #keeping<Value>(work: Promise<Value>): Promise<Value> {
    const value = await work
    const session = this.#session
    if (session !== undefined && this.#memory !== this.#kept)
      await this.#parts.store.keepHostSession(this.#row(session.runId, session.state))
    return value
  }

  #context(signal: AbortSignal): SessionContext {
    const session = this.#session
    if (session === undefined) throw new TypeError('there is no run to be at')
    this.#recorded = []
    const read = (): SessionMemory => this.#memory
    const write = (memory: SessionMemory): void => {
      this.#memory = memory
    }
    return {
      parts: this.#parts,
      session,
      get memory() {
        return read()
      },
      set memory(memory) {
        write(memory)
      },
      recorded: this.#recorded,
      signal,
      world: () => this.#doors(),
    }
  }

  async #doors(): Promise<SessionWorld> {
    const { baselineRunId } = this.#memory
    if (this.#world?.baselineRunId !== baselineRunId)
      this.#world = { baselineRunId, doors: this.#parts.world(baselineRunId) }
    const world = await this.#world.doors
    this.#judging = world.judging
    return world
  }

  async #tryLease(): Promise<KeptLease | undefined> {
    const kept = await acquireLease(`run ${this.#session?.runId}`, this.#parts)
    if (kept !== undefined) this.#lease = kept.lease
    return kept
  }

  #waitForLease(signal: AbortSignal): Promise<AwaitedLease> {
    return waitForLease(this.#parts.clock, signal, async () =>
      (await this.#load()) === undefined ? undefined : this.#tryLease(),
    )
  }

  async #holding<Value>(kept: KeptLease, work: () => Promise<Value>): Promise<Value> {
    try {
      return await work()
    } finally {
      this.#lease = null
      await kept.release().catch(() => undefined)
    }
  }
}

function isResting({ phase }: RunState): boolean {
  if (phase.kind === 'acting') return phase.pending.every(({ announcedAs }) => announcedAs === undefined)
  return phase.kind === 'calling' || phase.kind === 'stopped'
}

interface AwaitedLease {
  readonly lease: KeptLease
  readonly hasWaited: boolean
}

const pollMs = 50

async function acquireLease(
  name: string,
  { store: leases }: Pick<AgentSessionParts, 'store'>,
): Promise<KeptLease | undefined> {
  const holder = thisHolder(name)
  try {
    const isDead = (other: Lease['holder']) => isAlive(other) === 'dead'
    return await keepLease({ name, holder, leases, isDead })
  } catch (error) {
    if (error instanceof RunHeldError) return undefined
    throw error
  }
}

/** @throws {RunHeldError} if it is still held when the signal aborts */
async function waitForLease(
  clock: Clock,
  signal: AbortSignal,
  attempt: () => Promise<KeptLease | undefined>,
): Promise<AwaitedLease> {
  for (let hasWaited = false; ; hasWaited = true) {
    const lease = await attempt()
    if (lease !== undefined) return { lease, hasWaited }
    if (signal.aborted)
      throw new RunHeldError('another process is checking this very claim, and has not ended')
    await clock.sleep(pollMs, signal)
  }
}

/** @param now `claimed`: the checks run again; otherwise the run ends as interrupted */
async function recover(context: SessionContext, now: 'claimed' | 'at-work' = 'at-work'): Promise<void> {
  const { session, parts } = context
  const { world, engine } = await buildWorld(context)
  const waking = {
    holder: `${parts.agent} ${parts.sessionId}`,
    agent: session.state.agent,
    runs: parts.store,
  }
  await engine.wake(session, waking, world.prompts)
  if (now === 'claimed') {
    const { phase, tally } = session.state
    if (phase.kind !== 'judging' || !tally.claimed) await goOn(context)
    return
  }
  if (session.state.phase.kind === 'starting') {
    await goOn(context)
    return
  }
  const broken: NewEvent = { type: 'interrupt-requested', by: 'the end of the process that was checking' }
  await session.tell(broken)
  const decision = session.decide()
  if (decision.kind !== 'stop') throw new UsageError(`an interrupted run goes on with ${decision.kind}`)
  await engine.perform(decision, session, world)
}
