/** A provider's servers: a token bucket for requests, and times in which they are down. */
import type { AgentFailure } from '@donecheck/core/internal/events'
import type { Random } from './random.ts'

export interface ProviderSettings {
  /** Infinity: as many as come. */
  readonly requestsPerMinute: number
  readonly outages: readonly { readonly fromMs: number; readonly untilMs: number }[]
  /** Share of calls that fail by themselves. */
  readonly failingShare: number
}

export class Provider {
  readonly #settings: ProviderSettings
  readonly #random: Random
  #tokens: number
  #atMs = 0

  constructor(settings: ProviderSettings, random: Random) {
    this.#settings = settings
    this.#random = random
    this.#tokens = settings.requestsPerMinute / 6
  }

  /** Undefined: it answers. */
  ask(nowMs: number): AgentFailure | undefined {
    const { requestsPerMinute, outages, failingShare } = this.#settings
    if (outages.some(({ fromMs, untilMs }) => nowMs >= fromMs && nowMs < untilMs)) return serverError
    if (this.#random() < failingShare) return serverError
    if (requestsPerMinute === Infinity) return undefined
    const perMs = requestsPerMinute / 60_000
    // Ten seconds' worth may come at once.
    this.#tokens = Math.min(requestsPerMinute / 6, this.#tokens + (nowMs - this.#atMs) * perMs)
    this.#atMs = nowMs
    this.#tokens -= 1
    if (this.#tokens >= 0) return undefined
    this.#tokens += 1
    return { ...rateLimited, retryAfterMs: Math.ceil((1 - this.#tokens) / perMs) }
  }
}

const serverError: AgentFailure = {
  kind: 'server-error',
  message: 'the server answered 503',
  retryable: true,
}
const rateLimited = { kind: 'rate-limited', message: 'the server answered 429', retryable: true } as const
