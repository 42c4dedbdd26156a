/** An execution of Mastra, told to a ride as it goes on: step by step, with what became of the calls. */
import type { HostAnswer, HostCall, HostEvent, HostResult, ToolActs } from '../../agents/index.ts'
import type { Ride } from '../../ride/index.ts'
import { callOf, replyOf, type Reply } from './translate.ts'

export interface ToldRunOptions {
  readonly ride: Ride
  readonly acts: ToolActs
  /** Aborts a verification. */
  readonly signal?: AbortSignal | undefined
}

const nothingSaid: Reply = { text: '', calls: [], usage: null }

export class ToldRun {
  readonly #options: ToldRunOptions
  readonly #proposals = new Map<string, Promise<HostAnswer>>()
  readonly #approved = new Set<string>()
  readonly #looked = new Set<string>()
  readonly #notices: string[] = []
  #reply: Reply | undefined
  #ran: { readonly call: HostCall; readonly result: HostResult }[] = []
  #steps = 0
  #sendBacks = 0
  #isSentBack = false
  #ended: string | undefined

  constructor(options: ToldRunOptions) {
    this.#options = options
  }

  get steps(): number {
    return this.#steps
  }

  get sendBacks(): number {
    return this.#sendBacks
  }

  get notices(): readonly string[] {
    return this.#notices
  }

  get ride(): Ride {
    return this.#options.ride
  }

  /** Why it must not go on. */
  get ended(): string | undefined {
    return this.#ended ?? this.ride.end?.message
  }

  async prompted(prompt: string): Promise<void> {
    await this.#tell({ kind: 'prompted', prompt })
  }

  /** A reply of the model, before its calls run. */
  async replied(step: unknown): Promise<void> {
    if (this.#reply !== undefined) await this.stepEnded()
    this.#steps += 1
    this.#reply = replyOf(step, this.#options.acts)
  }

  /** Before a call runs. Asked once, however often Mastra wants to know. */
  proposed(callId: string, tool: string, input: unknown): Promise<HostAnswer> {
    const known = this.#proposals.get(callId)
    if (known !== undefined) return known
    const call = callOf(callId, tool, input, this.#options.acts)
    const answer =
      this.ended === undefined
        ? this.#tell({ kind: 'tool-proposed', call })
        : Promise.resolve<HostAnswer>({ kind: 'end', message: this.ended })
    this.#proposals.set(callId, answer)
    return answer
  }

  /** Mastra asks for an approval by name and arguments alone: the call of the last reply that it has not yet asked for. */
  callIdOf(tool: string, input: unknown): string | undefined {
    const { args } = callOf('', tool, input, this.#options.acts)
    const words = JSON.stringify(args)
    const found = this.#reply?.calls.find(
      (call) => call.tool === tool && JSON.stringify(call.args) === words && !this.#looked.has(call.callId),
    )
    if (found !== undefined) this.#looked.add(found.callId)
    return found?.callId
  }

  /** A person has said yes, by Mastra's own way. */
  approve(callId: string): void {
    this.#approved.add(callId)
  }

  isApproved(callId: string): boolean {
    return this.#approved.has(callId)
  }

  finished(callId: string, tool: string, input: unknown, result: HostResult): void {
    this.#ran.push({ call: callOf(callId, tool, input, this.#options.acts), result })
  }

  /** After the calls of a reply have ended. Answers what the model should read next. */
  async stepEnded(): Promise<readonly string[]> {
    const { text, usage } = this.#reply ?? nothingSaid
    const ran = this.#ran
    if (this.#reply === undefined && ran.length === 0) return []
    this.#reply = undefined
    this.#ran = []
    this.#isSentBack = false
    const calls = ran.map(({ call }) => call)
    const answers = [await this.#tell({ kind: 'replied', text, calls, usage })]
    for (const { call, result } of ran)
      answers.push(await this.#tell({ kind: 'tool-finished', call, result }))
    return answers.flatMap((answer) => (answer.kind === 'pass' ? (answer.context ?? []) : []))
  }

  /** The agent ends its turn. The checks are asked before this resolves. */
  async claimed(text: string): Promise<HostAnswer> {
    await this.stepEnded()
    return this.#ask(text)
  }

  /** A bound of the host's own has ended it: what the checks say is asked for all the same. */
  async cutShort(): Promise<void> {
    await this.stepEnded()
    if (this.ended === undefined && !this.#isSentBack) await this.#ask('')
    await this.#tell({ kind: 'session-ended' })
  }

  async broken(message: string): Promise<void> {
    if (this.ended !== undefined) return
    await this.#tell({ kind: 'turn-failed', message })
    await this.#tell({ kind: 'session-ended' })
  }

  async #ask(text: string): Promise<HostAnswer> {
    const wasSentBack = this.#sendBacks > 0
    const answer = await this.#tell({ kind: 'stopping', text, wasSentBack, waitingFor: [] })
    if (answer.kind === 'send-back') this.#sendBacks += 1
    this.#isSentBack = answer.kind === 'send-back'
    return answer
  }

  async #tell(event: HostEvent): Promise<HostAnswer> {
    const { ride, signal } = this.#options
    const answer = await ride.observe(event, signal)
    if (answer.kind === 'end') this.#ended ??= answer.message
    const notice = answer.kind === 'pass' || answer.kind === 'send-back' ? answer.notice : undefined
    if (notice !== undefined) this.#notices.push(notice)
    return answer
  }
}
