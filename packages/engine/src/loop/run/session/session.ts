/**
 * The same brain for both drivers: it records facts, folds them and decides. `run-loop.ts` uses it where we own the
 * loop, a host where it owns the loop. Only this room appends events (I1).
 */
import { decide, type Decision, type Judgement } from '@donecheck/core/internal/decide'
import { RunHeldError } from '../../../base/index.ts'
import {
  converse,
  emptyConversation,
  evolve,
  type Conversation,
  type RunState,
} from '@donecheck/core/internal/state'
import {
  currentSchemaVersion,
  maskFact,
  type Fact,
  type JsonValue,
  type RunEvent,
  type NewEvent,
} from '@donecheck/core/internal/events'
import { maskText, type SecretValues } from '@donecheck/core/internal/secrets'
import type { Attachment } from '../../../ports/checks.ts'
import type { Attachments, EventLog, HostSession, Lease } from '../../../ports/store.ts'
import type { Clock, Ids } from '../../../ports/loop.ts'

export interface SessionParts {
  readonly log: Pick<EventLog, 'append'> & Pick<Attachments, 'attach'>
  readonly clock: Clock
  readonly ids: Ids
  readonly judgement: Judgement
  /** Undefined for a fact that could be read again. Usually `problemOfFact`; it may be stricter. */
  readonly problemOf: (fact: Fact) => string | undefined
  readonly secrets: SecretValues
  /** Who holds the run; null where nobody else can reach the store. */
  readonly lease: Lease | null
  readonly onEvent: (event: RunEvent, state: RunState) => void
  /** The host keeps it: a run that lasts does not grow in here. */
  readonly hasNoConversation?: true
  /** What is to be kept in the same transaction as the events. */
  readonly beside?: (next: RunState) => HostSession
}

interface Imagined {
  readonly event: RunEvent
  readonly state: RunState
}

export class Session {
  readonly runId: string
  readonly #parts: SessionParts
  #state: RunState | undefined
  #conversation: Conversation = emptyConversation
  readonly #callIds = new Set<string>()
  /** Arguments as the drive gave them; the record holds them masked. */
  readonly #arguments = new Map<string, JsonValue>()

  /**
   * @param past events of the run so far, in order, none for a new run; or the state that they have led to: then the conversation is
   * unknown, and only a host that owns the loop can go on
   */
  constructor(runId: string, parts: SessionParts, past: readonly RunEvent[] | RunState = []) {
    this.runId = runId
    this.#parts = parts
    if ('runId' in past) this.#state = past
    else for (const event of past) this.#fold(event)
  }

  /** @throws {TypeError} before the first fact was told */
  get state(): RunState {
    if (this.#state === undefined) throw new TypeError('a session has no state before its first fact')
    return this.#state
  }

  get conversation(): Conversation {
    return this.#conversation
  }

  /** What no record may hold, nor a digest that stands in one: whoever knows the rest of a text could guess it. */
  get secrets(): SecretValues {
    return this.#parts.secrets
  }

  problemOf(fact: Fact): string | undefined {
    return this.#parts.problemOf(fact)
  }

  /** Pure: asking twice gives the same answer (I11). */
  decide(): Decision {
    return decide(this.state, this.#parts.judgement)
  }

  /** What would be decided after these facts. Nothing is recorded, and nothing here is another afterwards. */
  consider(...facts: readonly NewEvent[]): Decision {
    return decide(this.#imagine(facts).at(-1)?.state ?? this.state, this.#parts.judgement)
  }

  /** A session that begins where this one stands, and records nothing anywhere: what it is told stays with it. */
  rehearsal(onFact: (fact: NewEvent) => void): Session {
    const log: SessionParts['log'] = {
      append: async (_, events) => {
        events.forEach(onFact)
        return { kind: 'appended' }
      },
      attach: async () => undefined,
    }
    const { clock, ids, judgement, problemOf, secrets } = this.#parts
    const quiet = { log, clock, ids, judgement, problemOf, secrets, lease: null }
    const rehearsed = new Session(
      this.runId,
      { ...quiet, onEvent: () => undefined, hasNoConversation: true },
      this.state,
    )
    for (const [callId, args] of this.#arguments) rehearsed.keepArguments(callId, args)
    return rehearsed
  }

  /**
   * Records facts, masked, in one append, and folds them.
   * @throws {TypeError} for a fact that could not be read again: nothing of it is written
   * @throws {RunHeldError} when somebody else has written or taken the run over: this session is over
   */
  async tell(...facts: readonly NewEvent[]): Promise<readonly RunEvent[]> {
    const sequence = this.#state?.sequence ?? 0
    const imagined = this.#imagine(facts, (event) => this.#assertReadable(event))
    const events = imagined.map(({ event }) => event)
    const { log, lease, beside } = this.#parts
    const last = imagined.at(-1)
    const kept = last && beside?.(last.state)
    const result = await log.append(sequence, events, lease, kept)
    if (result.kind === 'conflict')
      throw new RunHeldError(
        `run ${this.runId} was written by another process (event ${result.actualSequence})`,
      )
    if (result.kind === 'fenced') throw new RunHeldError(`run ${this.runId}: ${result.message}`)
    for (const { event, state } of imagined) {
      this.#state = state
      this.#converse(event)
      this.#parts.onEvent(event, state)
    }
    return events
  }

  /** Keeps a long output beside the stream, masked as everything is; its name stays the digest of the original. */
  async attach({ digest, content }: Attachment): Promise<void> {
    const { log, secrets } = this.#parts
    await log.attach(this.runId, { digest, content: maskText(content, secrets) })
  }

  hasCall(callId: string): boolean {
    return this.#callIds.has(callId)
  }

  keepArguments(callId: string, args: JsonValue): void {
    this.#arguments.set(callId, args)
  }

  argumentsOf(callId: string, recorded: JsonValue): { readonly args: JsonValue; readonly isRecord: boolean } {
    const given = this.#arguments.get(callId)
    return given === undefined ? { args: recorded, isRecord: true } : { args: given, isRecord: false }
  }

  #imagine(facts: readonly NewEvent[], assertFact?: (event: RunEvent) => void): readonly Imagined[] {
    const imagined: Imagined[] = []
    for (const fact of facts) {
      const state = imagined.at(-1)?.state ?? this.#state
      const event = this.#stamp(fact, state)
      assertFact?.(event)
      imagined.push({ event, state: evolve(state, event) })
    }
    return imagined
  }

  #stamp(fact: NewEvent, state: RunState | undefined): RunEvent {
    const { clock, ids, secrets } = this.#parts
    return {
      schemaVersion: currentSchemaVersion,
      id: ids.next(),
      runId: this.runId,
      sequence: (state?.sequence ?? 0) + 1,
      timeMs: Math.max(clock.nowMs(), state?.nowMs ?? 0),
      ...maskFact(fact, secrets),
    }
  }

  #assertReadable(event: RunEvent): void {
    const problem = this.problemOf(event)
    if (problem !== undefined) throw new TypeError(`${event.type} cannot be recorded: ${problem}`)
  }

  #fold(event: RunEvent): void {
    this.#state = evolve(this.#state, event)
    this.#converse(event)
  }

  #converse(event: RunEvent): void {
    if (this.#parts.hasNoConversation === true) return
    this.#conversation = converse(this.#conversation, event)
    if (event.type === 'model-replied') for (const { callId } of event.toolCalls) this.#callIds.add(callId)
  }
}
