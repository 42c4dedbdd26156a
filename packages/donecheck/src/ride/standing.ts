/** Where the run of a host's session stands: remembered, or read again; and who may write to it. */
import type { HostAnswer } from '../agents/index.ts'
import { RunHeldError } from '../errors.ts'
import type { RunEvent, RunState } from '../events/index.ts'
import type { HostSession, Lease } from '../ports.ts'
import { Session, type KeptLease, type Remembered, type SessionParts } from '../run/index.ts'
import { awaitedLease, leaseOf, pollMs, type AwaitedLease } from './awaited-lease.ts'
import type { EarlierRun } from './baseline.ts'
import { recover } from './recover.ts'
import { latestElsewhere } from './latest-elsewhere.ts'
import { freshMemory, memoryIn, type RideMemory } from './memory.ts'
import type { RideParts, RideWorld } from './parts.ts'
import type { Place } from './place.ts'
import { snapshotOf, snapshotText } from './snapshot.ts'

type Work = (place: Place) => Promise<HostAnswer>

export class Standing {
  readonly #parts: RideParts
  #session: Session | undefined
  #memory: RideMemory = freshMemory
  /** As it lies in the store. */
  #kept: RideMemory = freshMemory
  #recorded: RunEvent[] = []
  #lease: Lease | null = null
  #world: { readonly baselineRunId: string | null; readonly doors: Promise<RideWorld> } | undefined
  /** What was remembered is not how the store stands. */
  #mustFold = false

  constructor(parts: RideParts) {
    this.#parts = parts
  }

  get state(): RunState | undefined {
    return this.#session?.state
  }

  /** Somebody else wrote: what is remembered here holds no longer. */
  forget(): void {
    this.#session = undefined
    this.#mustFold = true
  }

  async isKnown(): Promise<boolean> {
    return (await this.#load()) !== undefined
  }

  /** A run is going on. */
  async isOpen(): Promise<boolean> {
    const session = await this.#load()
    return session !== undefined && session.state.phase.kind !== 'stopped'
  }

  /** Until no other process is at work on the run, or the signal is aborted. */
  async rest(signal: AbortSignal): Promise<void> {
    const session = await this.#load()
    if (session === undefined || isResting(session.state)) return
    const waited = await this.#waitForLease(signal).catch((error: unknown) => {
      if (!(error instanceof RunHeldError)) throw error
    })
    if (waited !== undefined) await this.#release(waited.lease)
    this.forget()
  }

  /**
   * One process at a time begins a run of a session.
   * @param isNeeded asked when it is this one's turn: another one may have begun it meanwhile
   */
  async start(
    signal: AbortSignal,
    work: (place: Place, before: EarlierRun | undefined) => Promise<unknown>,
    isNeeded: () => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<void> {
    const { lease: turn, hasWaited } = await awaitedLease(this.#parts.clock, signal, () =>
      leaseOf(`session ${this.#key}`, this.#parts),
    )
    try {
      if (hasWaited) this.forget()
      if (await isNeeded()) await this.#begin(signal, work)
    } finally {
      await turn.release().catch(() => undefined)
    }
  }

  async #begin(
    signal: AbortSignal,
    work: (place: Place, before: EarlierRun | undefined) => Promise<unknown>,
  ): Promise<void> {
    const { ids } = this.#parts
    const before = await this.#earlier()
    // Of the session, not of the run.
    const { background } = this.#memory
    this.#memory = { ...freshMemory, background }
    this.#session = this.#sessionOf(ids.next(), [])
    await this.#exclusively(async () => {
      await work(this.#place(signal), before)
      await this.#keep()
    })
  }

  /** Before what was taken up in vain is tried again: the longer, the more others are at it. */
  async pause(tries: number, signal: AbortSignal): Promise<void> {
    await this.#parts.clock.sleep(Math.min(tries, pollMs), signal)
  }

  /** Takes an event up where the run stands. `otherwise`: there is no run, or somebody else is just at work on it. */
  async within(signal: AbortSignal, work: Work, otherwise: HostAnswer): Promise<HostAnswer> {
    const session = await this.#load()
    if (session === undefined) return otherwise
    if (!isResting(session.state)) {
      const held = await this.#tryLease()
      if (held === undefined) return otherwise
      try {
        await recover(this.#place(signal))
      } finally {
        await this.#release(held)
      }
    }
    const answer = await work(this.#place(signal))
    await this.#keep()
    return answer
  }

  /** The same, with the run to itself: two processes never verify at the same time. */
  async held(
    signal: AbortSignal,
    work: (place: Place, hasWaited: boolean) => Promise<HostAnswer>,
  ): Promise<HostAnswer> {
    const { lease, hasWaited } = await this.#waitForLease(signal)
    try {
      if (hasWaited) this.forget()
      const session = await this.#load()
      if (session === undefined) throw new RunHeldError('the run is gone')
      const told = hasWaited ? this.#alreadyTold(session.state) : undefined
      if (told !== undefined) return told
      if (!isResting(session.state)) await recover(this.#place(signal), 'claimed')
      const answer = await work(this.#place(signal), hasWaited)
      await this.#keep()
      return answer
    } finally {
      await this.#release(lease)
    }
  }

  async #earlier(): Promise<EarlierRun | undefined> {
    const session = await this.#load()
    const own = session === undefined ? undefined : { state: session.state, memory: this.#memory }
    const other = await latestElsewhere(this.#parts, this.#key)
    if (own === undefined) return other
    const isLater = other !== undefined && other.state.nowMs > own.state.nowMs
    return { ...own, session: 'same', ...(isLater ? { later: other } : {}) }
  }

  /** The same claim was heard by another process, which has just answered it. An end is looked at anew: the tree may be another. */
  #alreadyTold(state: RunState): HostAnswer | undefined {
    const { sentBack } = this.#memory
    const isOfThisTurn = sentBack?.turn === state.turn && state.phase.kind === 'calling'
    return isOfThisTurn ? { kind: 'send-back', feedback: sentBack.feedback } : undefined
  }

  async #exclusively(work: () => Promise<void>): Promise<void> {
    const held = await this.#tryLease()
    if (held === undefined) throw new RunHeldError('the run that was to begin is held by another process')
    try {
      await work()
    } finally {
      await this.#release(held)
    }
  }

  async #load(): Promise<Session | undefined> {
    if (this.#session !== undefined) return this.#session
    const { store } = this.#parts
    const row = await store.hostSession(this.#key)
    if (row === undefined) return undefined
    const snapshot = snapshotOf(row.snapshot)
    const isLatest = row.latestSequence === row.sequence
    this.#memory = memoryIn(snapshot, isLatest)
    this.#kept = this.#memory
    const mustFold = this.#mustFold || !isLatest
    this.#mustFold = false
    if (snapshot !== undefined && !mustFold) this.#session = this.#sessionOf(row.runId, snapshot)
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

  #sessionOf(runId: string, past: readonly RunEvent[] | Remembered): Session {
    const { store, clock, ids, judgement, problemOf, secrets, onEvent } = this.#parts
    const currentLease = (): Lease | null => this.#lease
    const parts: SessionParts = {
      ...{ log: store, clock, ids, judgement, problemOf, secrets },
      get lease() {
        return currentLease()
      },
      onEvent: (event, state) => {
        this.#recorded.push(event)
        onEvent(event, state)
      },
      beside: (next) => this.#row(runId, next),
      hasNoConversation: true,
    }
    return new Session(runId, parts, past)
  }

  #row(runId: string, next: Remembered): HostSession {
    const memory = this.#memory
    this.#kept = memory
    const { sequence, nowMs } = next.state
    const snapshot = snapshotText({ ...next, memory })
    return { key: this.#key, runId, sequence, updatedAtMs: nowMs, snapshot }
  }

  /** What has changed without any fact. Where somebody else has written meanwhile, it is not worth keeping. */
  async #keep(): Promise<void> {
    const session = this.#session
    if (session === undefined || this.#memory === this.#kept) return
    await this.#parts.store.keepHostSession(this.#row(session.runId, session.remembered))
  }

  #place(signal: AbortSignal): Place {
    const session = this.#session
    if (session === undefined) throw new TypeError('there is no run to be at')
    this.#recorded = []
    const read = (): RideMemory => this.#memory
    const write = (memory: RideMemory): void => {
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

  #doors(): Promise<RideWorld> {
    const { baselineRunId } = this.#memory
    if (this.#world?.baselineRunId !== baselineRunId)
      this.#world = { baselineRunId, doors: this.#parts.world(baselineRunId) }
    return this.#world.doors
  }

  async #tryLease(): Promise<KeptLease | undefined> {
    const kept = await leaseOf(`run ${this.#session?.runId}`, this.#parts)
    if (kept !== undefined) this.#lease = kept.lease
    return kept
  }

  #waitForLease(signal: AbortSignal): Promise<AwaitedLease> {
    return awaitedLease(this.#parts.clock, signal, async () =>
      (await this.#load()) === undefined ? undefined : this.#tryLease(),
    )
  }

  async #release(kept: KeptLease): Promise<void> {
    this.#lease = null
    // A lease that cannot be given back expires by itself.
    await kept.release().catch(() => undefined)
  }
}

/** The host is at work, or the run is over: whatever comes next can be taken up. */
function isResting({ phase }: RunState): boolean {
  if (phase.kind === 'acting') return phase.pending.every(({ announcedAs }) => announcedAs === undefined)
  return phase.kind === 'calling' || phase.kind === 'stopped'
}
