/** Records facts, folds them and decides: for our loop (`run-loop.ts`) and for hosts that own theirs (I1). */
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
  /** Undefined if the fact can be read again. Usually `problemOfFact`, possibly stricter. */
  readonly problemOf: (fact: Fact) => string | undefined
  readonly secrets: SecretValues
  /** Null if no other process can reach the store. */
  readonly lease: Lease | null
  readonly onEvent: (event: RunEvent, state: RunState) => void
  /** The host stores the conversation, so it does not grow here. */
  readonly hasNoConversation?: true
  /** Stored in the same transaction as the events. */
  readonly beside?: (next: RunState) => HostSession
}

interface Imagined {
  readonly event: RunEvent
  readonly state: RunState
}

export class LiveRun {
  readonly runId: string
  readonly #parts: SessionParts
  #state: RunState | undefined
  #conversation: Conversation = emptyConversation
  readonly #callIds = new Set<string>()
  /** Original arguments; the record contains them masked. */
  readonly #arguments = new Map<string, JsonValue>()

  /** @param past events, or their state, which lacks the conversation, so that only a host can continue */
  constructor(runId: string, parts: SessionParts, past: readonly RunEvent[] | RunState = []) {
    this.runId = runId
    this.#parts = parts
    if ('runId' in past) this.#state = past
    else for (const event of past) this.#fold(event)
  }

  /** @throws {TypeError} before the first fact */
  get state(): RunState {
    if (this.#state === undefined) throw new TypeError('a session has no state before its first fact')
    return this.#state
  }

  get conversation(): Conversation {
    return this.#conversation
  }

  /** Must be in no record and no digest, from which they could be guessed. */
  get secrets(): SecretValues {
    return this.#parts.secrets
  }

  problemOf(fact: Fact): string | undefined {
    return this.#parts.problemOf(fact)
  }

  /** Pure (I11). */
  decide(): Decision {
    return decide(this.state, this.#parts.judgement)
  }

  /** Changes nothing. */
  consider(...facts: readonly NewEvent[]): Decision {
    return decide(this.#imagine(facts).at(-1)?.state ?? this.state, this.#parts.judgement)
  }

  /** A copy of the session that records nothing. */
  rehearsal(onFact: (fact: NewEvent) => void): LiveRun {
    const log: SessionParts['log'] = {
      append: async (_, events) => {
        events.forEach(onFact)
        return { kind: 'appended' }
      },
      attach: async () => undefined,
    }
    const { clock, ids, judgement, problemOf, secrets } = this.#parts
    const quiet = { log, clock, ids, judgement, problemOf, secrets, lease: null }
    const rehearsed = new LiveRun(
      this.runId,
      { ...quiet, onEvent: () => undefined, hasNoConversation: true },
      this.state,
    )
    for (const [callId, args] of this.#arguments) rehearsed.keepArguments(callId, args)
    return rehearsed
  }

  /**
   * Appends masked facts atomically. @throws {TypeError} for an unreadable fact; nothing is written then
   * @throws {RunHeldError} if another process took the run over
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

  /** Stores a long output, masked; its name is the digest of the original. */
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
