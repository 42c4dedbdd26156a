/** A run of LangChain, told to a ride as it goes on: reply by reply, with what became of the calls. */
import type { HostAnswer, HostCall, HostEvent, HostResult, ToolActs } from '../../agents/index.ts'
import type { Ride } from '../../ride/index.ts'
import { replyOf, type Reply } from './translate.ts'

export interface ToldRunOptions {
  readonly ride: Ride
  readonly acts: ToolActs
}

const nothingSaid: Reply = { text: '', calls: [], usage: null }

export class ToldRun {
  readonly #options: ToldRunOptions
  readonly #proposals = new Map<string, Promise<HostAnswer>>()
  readonly #waiting = new Map<string, string>()
  readonly #notices: string[] = []
  #reply: Reply | undefined
  #ran: { readonly call: HostCall; readonly result: HostResult }[] = []
  #sendBacks = 0
  #isSentBack = false
  #ended: string | undefined

  constructor(options: ToldRunOptions) {
    this.#options = options
  }

  get acts(): ToolActs {
    return this.#options.acts
  }

  get ride(): Ride {
    return this.#options.ride
  }

  get sendBacks(): number {
    return this.#sendBacks
  }

  get notices(): readonly string[] {
    return this.#notices
  }

  /** Names of the tools whose calls wait for a person. */
  get waitingFor(): readonly string[] {
    return [...this.#waiting.values()]
  }

  /** Why it must not go on. */
  get ended(): string | undefined {
    return this.#ended ?? this.ride.end?.message
  }

  async prompted(prompt: string): Promise<void> {
    await this.#tell({ kind: 'prompted', prompt })
  }

  /** A reply of the model, before its calls run. */
  async replied(message: unknown, signal?: AbortSignal): Promise<void> {
    if (this.#reply !== undefined) await this.stepEnded(signal)
    this.#reply = replyOf(message, this.acts)
  }

  /** Before a call runs. Asked once, however often the graph begins anew. */
  proposed(call: HostCall, signal?: AbortSignal): Promise<HostAnswer> {
    const known = this.#proposals.get(call.callId)
    if (known !== undefined) return known
    const answer =
      this.ended === undefined
        ? this.#tell({ kind: 'tool-proposed', call }, signal)
        : Promise.resolve<HostAnswer>({ kind: 'end', message: this.ended })
    this.#proposals.set(call.callId, answer)
    return answer
  }

  waits({ callId, tool }: HostCall): void {
    this.#waiting.set(callId, tool)
  }

  answered({ callId }: HostCall): void {
    this.#waiting.delete(callId)
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
    if (answer.kind === 'send-back') this.#sendBacks += 1
    this.#isSentBack = answer.kind === 'send-back'
    return answer
  }

  /** A bound of the host's own has ended it: what the checks say is asked for all the same. */
  async cutShort(): Promise<void> {
    await this.stepEnded()
    if (this.ended === undefined && !this.#isSentBack) await this.claimed('')
    await this.#tell({ kind: 'session-ended' })
  }

  async broken(message: string): Promise<void> {
    if (this.ended !== undefined) return
    await this.#tell({ kind: 'turn-failed', message })
  }

  async #tell(event: HostEvent, signal?: AbortSignal): Promise<HostAnswer> {
    const answer = await this.ride.observe(event, signal)
    if (answer.kind === 'end') this.#ended ??= answer.message
    const notice = answer.kind === 'pass' || answer.kind === 'send-back' ? answer.notice : undefined
    if (notice !== undefined) this.#notices.push(notice)
    return answer
  }
}
