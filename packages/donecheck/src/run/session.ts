/**
 * The same brain for both drivers: it records facts, folds them and decides. `run-loop.ts` uses it where we own the
 * loop, a host where it owns the loop. Only this room appends events (I1).
 */
import { decide, type Decision, type Judgement } from '../core/index.ts'
import { RunHeldError } from '../errors.ts'
import {
  converse,
  currentSchemaVersion,
  emptyConversation,
  evolve,
  maskFact,
  maskText,
  problemOfFact,
  type Conversation,
  type JsonValue,
  type RunEvent,
  type RunState,
  type SecretValues,
  type Told,
} from '../events/index.ts'
import type { Attachment, Attachments, Clock, EventLog, Ids, Lease } from '../ports.ts'

export interface SessionParts {
  readonly log: Pick<EventLog, 'append'> & Pick<Attachments, 'attach'>
  readonly clock: Clock
  readonly ids: Ids
  readonly judgement: Judgement
  readonly secrets: SecretValues
  /** Who holds the run; null where nobody else can reach the store. */
  readonly lease: Lease | null
  /** Told of every event after it was recorded. */
  readonly onEvent: (event: RunEvent, state: RunState) => void
}

export class Session {
  readonly runId: string
  readonly #parts: SessionParts
  #state: RunState | undefined
  #conversation: Conversation = emptyConversation
  #lastEventId: string | undefined
  /** Arguments as the drive gave them; the record holds them masked. */
  readonly #arguments = new Map<string, JsonValue>()

  /** @param past events of the run so far, in order; empty for a new run */
  constructor(runId: string, parts: SessionParts, past: readonly RunEvent[] = []) {
    this.runId = runId
    this.#parts = parts
    for (const event of past) this.#fold(event)
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

  /** Pure: asking twice gives the same answer (I11). */
  decide(): Decision {
    return decide(this.state, this.#parts.judgement)
  }

  /**
   * Records facts, masked, in one append, and folds them.
   * @throws {TypeError} for a fact that could not be read again: nothing of it is written
   * @throws {RunHeldError} when somebody else has written or taken the run over: this session is over
   */
  async tell(...facts: readonly Told[]): Promise<readonly RunEvent[]> {
    const sequence = this.#state?.sequence ?? 0
    const events: RunEvent[] = []
    for (const fact of facts) {
      const causeId = fact.causeId ?? events.at(-1)?.id ?? this.#lastEventId
      events.push(this.#stamp(fact, sequence + events.length + 1, causeId))
    }
    for (const event of events) assertReadable(event)
    const result = await this.#parts.log.append(sequence, events, this.#parts.lease)
    if (result.kind === 'conflict')
      throw new RunHeldError(
        `run ${this.runId} was written by another process (event ${result.actualSequence})`,
      )
    if (result.kind === 'fenced') throw new RunHeldError(`run ${this.runId}: ${result.message}`)
    for (const event of events) {
      this.#fold(event)
      this.#parts.onEvent(event, this.state)
    }
    return events
  }

  /** Where a host owns the loop: what happened in, what to do next out. */
  async observe(...facts: readonly Told[]): Promise<Decision> {
    await this.tell(...facts)
    return this.decide()
  }

  /** Keeps a long output beside the stream, masked as everything is; its name stays the digest of the original. */
  async attach({ digest, content }: Attachment): Promise<void> {
    const { log, secrets } = this.#parts
    await log.attach(this.runId, { digest, content: maskText(content, secrets) })
  }

  keepArguments(callId: string, args: JsonValue): void {
    this.#arguments.set(callId, args)
  }

  /** The arguments as they were given; after a resume, as they were recorded. */
  argumentsOf(callId: string, recorded: JsonValue): { readonly args: JsonValue; readonly isRecord: boolean } {
    const given = this.#arguments.get(callId)
    return given === undefined ? { args: recorded, isRecord: true } : { args: given, isRecord: false }
  }

  #stamp(fact: Told, sequence: number, causeId: string | undefined): RunEvent {
    const { clock, ids, secrets } = this.#parts
    return {
      schemaVersion: currentSchemaVersion,
      id: ids.next(),
      runId: this.runId,
      sequence,
      timeMs: Math.max(clock.nowMs(), this.#state?.nowMs ?? 0),
      ...maskFact(fact, secrets),
      ...(causeId === undefined ? {} : { causeId }),
    }
  }

  #fold(event: RunEvent): void {
    this.#state = evolve(this.#state, event)
    this.#conversation = converse(this.#conversation, event)
    this.#lastEventId = event.id
  }
}

function assertReadable(event: RunEvent): void {
  const problem = problemOfFact(event)
  if (problem !== undefined) throw new TypeError(`${event.type} cannot be recorded: ${problem}`)
}
