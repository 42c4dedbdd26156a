/** One run of an SDK, told to a ride as it goes on: reply by reply, with what became of the calls. The same for every SDK. */
import type { HostAnswer, HostCall, HostEvent, HostResult } from './agents/index.ts'
import type { TokenUsage } from './events/index.ts'
import { createRide, verificationOf, type Ride, type RideOptions, type Verification } from './ride/index.ts'

/** A reply of the model. */
export interface ToldReply {
  readonly text: string
  /** Null: nothing was said. */
  readonly usage: TokenUsage | null
}

interface Ran {
  readonly call: HostCall
  readonly result: HostResult
}

interface Proposal {
  /** What the call would do, for some providers give the same name to a call of every step. */
  readonly would: string
  readonly answer: Promise<HostAnswer>
}

const nothingSaid: ToldReply = { text: '', usage: null }

/** Where a signal may be given, it aborts a verification. */
export class ToldRide {
  readonly ride: Ride
  readonly #signal: AbortSignal | undefined
  /** The latest under each name. */
  readonly #proposals = new Map<string, Proposal>()
  readonly #notices: string[] = []
  #reply: ToldReply | undefined
  #ran: Ran[] = []
  #sendBacks = 0
  #isSentBack = false
  #ended: string | undefined

  /** @param signal where none is given with a question */
  constructor(ride: Ride, signal?: AbortSignal) {
    this.ride = ride
    this.#signal = signal
  }

  /** Times that the agent was sent back. */
  get sendBacks(): number {
    return this.#sendBacks
  }

  /** For people. */
  get notices(): readonly string[] {
    return this.#notices
  }

  /** Why it must not go on. */
  get ended(): string | undefined {
    return this.#ended ?? this.ride.end?.message
  }

  async prompted(prompt: string): Promise<void> {
    await this.#tell({ kind: 'prompted', prompt })
  }

  /** A reply of the model, before its calls run. */
  async heard(reply: ToldReply, signal?: AbortSignal): Promise<void> {
    if (this.#reply !== undefined) await this.stepEnded(signal)
    this.#reply = reply
  }

  /** Before a call runs. Asked once, however often the host wants to know; what would do something else is another call, whatever its name. */
  proposed(call: HostCall, signal?: AbortSignal): Promise<HostAnswer> {
    const known = this.#proposals.get(call.callId)
    // Not by its arguments: a host tells them once as the model wrote them, and once as a schema has read them.
    const would = JSON.stringify([call.tool, call.act])
    if (known?.would === would) return known.answer
    const answer =
      this.ended === undefined
        ? this.#tell({ kind: 'tool-proposed', call }, signal)
        : Promise.resolve<HostAnswer>({ kind: 'end', message: this.ended })
    this.#proposals.set(call.callId, { would, answer })
    return answer
  }

  /** We have said no to it: what the host has as its result is what we said. */
  async wasRefused({ callId }: HostCall): Promise<boolean> {
    const answer = await this.#proposals.get(callId)?.answer
    return answer?.kind === 'refuse' || answer?.kind === 'end'
  }

  finished(call: HostCall, result: HostResult): void {
    this.#ran.push({ call, result })
  }

  /** After the calls of a reply have ended. Answers what the model should read next. */
  async stepEnded(signal?: AbortSignal): Promise<readonly string[]> {
    if (this.#reply === undefined && this.#ran.length === 0) return []
    const { text, usage } = this.#reply ?? nothingSaid
    const ran = this.#ran
    this.#reply = undefined
    this.#ran = []
    this.#isSentBack = false
    const calls = ran.map(({ call }) => call)
    const answers = [await this.#tell({ kind: 'replied', text, calls, usage }, signal)]
    for (const { call, result } of ran)
      answers.push(await this.#tell({ kind: 'tool-finished', call, result }, signal))
    return answers.flatMap((answer) => (answer.kind === 'pass' ? (answer.context ?? []) : []))
  }

  /** The agent ends its turn. The checks are asked before this resolves. */
  async claimed(text: string, signal?: AbortSignal): Promise<HostAnswer> {
    await this.stepEnded(signal)
    const wasSentBack = this.#sendBacks > 0
    const answer = await this.#tell({ kind: 'stopping', text, wasSentBack, waitingFor: [] }, signal)
    this.#isSentBack = answer.kind === 'send-back'
    if (this.#isSentBack) this.#sendBacks += 1
    return answer
  }

  /** A bound of the host's own has ended it: what the checks say is asked for all the same. */
  async cutShort(): Promise<void> {
    await this.stepEnded()
    if (this.ended === undefined && !this.#isSentBack) await this.claimed('')
    await this.over()
  }

  /** The turn broke; another one may follow. */
  async broken(message: string): Promise<void> {
    if (this.ended === undefined) await this.#tell({ kind: 'turn-failed', message })
  }

  async over(): Promise<void> {
    await this.#tell({ kind: 'session-ended' })
  }

  async #tell(event: HostEvent, signal = this.#signal): Promise<HostAnswer> {
    const answer = await this.ride.observe(event, signal)
    if (answer.kind === 'end') this.#ended ??= answer.message
    const notice = answer.kind === 'pass' || answer.kind === 'send-back' ? answer.notice : undefined
    if (notice !== undefined) this.#notices.push(notice)
    return answer
  }
}

/**
 * The checks over work that is done already: a run of one claim.
 * @throws {UsageError} for options that contradict each other or can never work
 */
export async function verifiedClaim(
  options: RideOptions,
  claim: { readonly task: string; readonly text: string },
): Promise<Verification> {
  const told = new ToldRide(await createRide({ baseline: 'tree', ...options }))
  await told.prompted(claim.task)
  await told.claimed(claim.text)
  await told.over()
  return verificationOf(told.ride, { sendBacks: 0, notices: [] })
}

/** Aborts with the first of them that does; what is no signal is left out. Undefined: there is none. */
export function firstSignal(...given: readonly unknown[]): AbortSignal | undefined {
  const signals = given.filter((each) => each instanceof AbortSignal)
  return signals.length === 0 ? undefined : AbortSignal.any(signals)
}
