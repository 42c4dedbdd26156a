/** A run of the SDK, recorded in a hosted session as it goes on: what is new in the items before every call of the model. */
import type { HostAnswer } from '../../protocol/host/index.ts'
import type { TokenUsage } from '@donecheck/core/budgets'
import { noUsage } from '../../protocol/stream/index.ts'
import { SdkSession } from '../../session/index.ts'
import type { Item, UsageLike } from './sdk.ts'
import { lastStep, totalOf, usageSince } from './translate.ts'

/** What is to be done before the next call of the model. */
export interface NextStep {
  /** For the model to read. */
  readonly advice: readonly string[]
  /** Why it must not be made. */
  readonly end: string | undefined
}

export class AgentsSession extends SdkSession {
  readonly #told = new Set<string>()
  #usage: UsageLike | undefined
  #known: TokenUsage = noUsage
  #isFirstCall = true

  /** The SDK begins to count anew with every call of `run` that is not given a state. */
  begins(): void {
    this.#usage = undefined
    this.#known = noUsage
    this.#isFirstCall = true
  }

  /** The SDK's own count, which it goes on with in place. */
  counts(usage: UsageLike | undefined): void {
    this.#usage = usage ?? this.#usage
  }

  /** Before a call of the model. */
  async beforeModel(items: readonly Item[]): Promise<NextStep> {
    const advice = this.#isFirstCall ? [] : await this.#tellStep(items)
    this.#isFirstCall = false
    return { advice, end: this.ended }
  }

  /** The agent ends its turn. The checks are asked before this resolves. */
  async endsTurn(items: readonly Item[], text: string): Promise<HostAnswer> {
    await this.#tellStep(items)
    return this.recordClaim(text)
  }

  async #tellStep(items: readonly Item[]): Promise<readonly string[]> {
    const { text, ended } = lastStep(items, this.#told, this.acts)
    const usage = usageSince(this.#usage, this.#known)
    if (this.#usage !== undefined) this.#known = totalOf(this.#usage)
    for (const { call } of ended) this.#told.add(call.callId)
    return this.recordStep({ text, usage }, ended)
  }
}
