/** A run of the SDK, told to a ride as it goes on: reply by reply, with what became of the calls. */
import type { HostAnswer, HostCall, HostEvent, ToolActs } from '../../agents/index.ts'
import type { TokenUsage } from '../../events/index.ts'
import type { Ride } from '../../ride/index.ts'
import type { Item, UsageLike } from './sdk.ts'
import { lastStep, nothingUsed, totalOf, usageSince } from './translate.ts'

export interface ToldRunOptions {
  readonly ride: Ride
  readonly acts: ToolActs
  /** Aborts a verification. */
  readonly signal?: AbortSignal | undefined
}

/** What is to be done before the next call of the model. */
export interface NextStep {
  /** For the model to read. */
  readonly advice: readonly string[]
  /** Why it must not be made. */
  readonly end: string | undefined
}

export class ToldRun {
  readonly #options: ToldRunOptions
  readonly #proposals = new Map<string, Promise<HostAnswer>>()
  readonly #told = new Set<string>()
  readonly #notices: string[] = []
  #usage: UsageLike | undefined
  #known: TokenUsage = nothingUsed
  #isFirstCall = true
  #sendBacks = 0
  #ended: string | undefined

  constructor(options: ToldRunOptions) {
    this.#options = options
  }

  get acts(): ToolActs {
    return this.#options.acts
  }

  get sendBacks(): number {
    return this.#sendBacks
  }

  get notices(): readonly string[] {
    return this.#notices
  }

  /** Why it must not go on. */
  get ended(): string | undefined {
    return this.#ended
  }

  async prompted(prompt: string): Promise<void> {
    await this.#tell({ kind: 'prompted', prompt })
    this.#ended ??= this.#options.ride.end?.message
  }

  /** The SDK begins to count anew with every call of `run` that is not given a state. */
  begins(): void {
    this.#usage = undefined
    this.#known = nothingUsed
    this.#isFirstCall = true
  }

  /** The SDK's own count, which it goes on with in place. */
  counts(usage: UsageLike | undefined): void {
    this.#usage = usage ?? this.#usage
  }

  /** Before a call runs. Asked once, however often the SDK wants to know. */
  proposed(call: HostCall): Promise<HostAnswer> {
    const answer = this.#proposals.get(call.callId) ?? this.#tell({ kind: 'tool-proposed', call })
    this.#proposals.set(call.callId, answer)
    return answer
  }

  /** Before a call of the model. */
  async beforeModel(items: readonly Item[]): Promise<NextStep> {
    const advice = this.#isFirstCall ? [] : await this.#tellStep(items)
    this.#isFirstCall = false
    return { advice, end: this.#ended }
  }

  /** The agent ends its turn. The checks are asked before this resolves. */
  async claimed(items: readonly Item[], text: string): Promise<HostAnswer> {
    await this.#tellStep(items)
    return this.#ask(text)
  }

  /** A bound of the host's own has ended it: what the checks say is asked for all the same. */
  async cutShort(): Promise<void> {
    if (this.#ended === undefined) await this.#ask('')
    await this.#tell({ kind: 'session-ended' })
  }

  async broken(message: string): Promise<void> {
    if (this.#ended !== undefined) return
    await this.#tell({ kind: 'turn-failed', message })
    await this.#tell({ kind: 'session-ended' })
  }

  async #ask(text: string): Promise<HostAnswer> {
    const wasSentBack = this.#sendBacks > 0
    const answer = await this.#tell({ kind: 'stopping', text, wasSentBack, waitingFor: [] })
    if (answer.kind === 'send-back') this.#sendBacks += 1
    return answer
  }

  async #tellStep(items: readonly Item[]): Promise<readonly string[]> {
    const { text, ended } = lastStep(items, this.#told, this.#options.acts)
    const ran = await this.#withoutRefused(ended)
    const usage = usageSince(this.#usage, this.#known)
    if (this.#usage !== undefined) this.#known = totalOf(this.#usage)
    const calls = ran.map(({ call }) => call)
    const answers = [await this.#tell({ kind: 'replied', text, calls, usage })]
    for (const { call, result } of ran)
      answers.push(await this.#tell({ kind: 'tool-finished', call, result }))
    for (const { call } of ended) this.#told.add(call.callId)
    return answers.flatMap((answer) => (answer.kind === 'pass' ? (answer.context ?? []) : []))
  }

  /** Refused calls have a result for the model to read; donecheck knows them already. */
  async #withoutRefused<Ended extends { readonly call: HostCall }>(
    ended: readonly Ended[],
  ): Promise<readonly Ended[]> {
    const kept: Ended[] = []
    for (const each of ended) {
      const answer = await this.#proposals.get(each.call.callId)
      if (answer?.kind !== 'refuse' && answer?.kind !== 'end') kept.push(each)
    }
    return kept
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
