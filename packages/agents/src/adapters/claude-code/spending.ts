/** What a session of Claude Code has used, booked once: step by step while it works, and the rest when it tells its total. */
import { addUsage, noUsage, usageSince } from '../../protocol/stream/index.ts'
import type { TokenUsage } from '@donecheck/core/budgets'

export interface ClaudeTokens {
  readonly fresh: number
  readonly cacheWritten: number
  readonly cacheRead: number
  readonly output: number
}

export interface Spent {
  readonly usage: TokenUsage
  readonly costUsd: number
}

export interface Totals {
  /** Of the session, with all that works for it, from its beginning on. */
  readonly total: Spent
  /** The same of this turn. Undefined: its version does not say. */
  readonly since: Spent | undefined
  /** Of this turn and its main conversation alone. */
  readonly own: TokenUsage
}

const nothing: Spent = { usage: noUsage, costUsd: 0 }

/** Of one session, through all of its turns. */
export class ClaudeSpending {
  /** What the session had used when it told last. Undefined: it began before this process. */
  #told: Spent | undefined
  /** In turns since then that were broken off before they told. */
  #untold = nothing
  #turn = nothing
  /** Guessed beyond what it was: taken off what is booked next. */
  #aheadUsd = 0

  beginTurn(isNewSession: boolean): void {
    this.#untold = isNewSession ? nothing : sumOf(this.#untold, this.#turn)
    this.#turn = nothing
    if (isNewSession) this.#told = nothing
  }

  step(tokens: ClaudeTokens, model: string): Spent {
    const guessed = { usage: usageOf(tokens), costUsd: guessCostUsd(model, tokens) ?? 0 }
    this.#turn = sumOf(this.#turn, guessed)
    return { usage: guessed.usage, costUsd: this.#book(guessed.costUsd) }
  }

  /** What no step has told of the turn. */
  rest(totals: Totals): Spent {
    const all = totals.since ?? this.#sinceTold(totals)
    const more = all.costUsd - this.#turn.costUsd
    this.#aheadUsd += Math.max(0, -more)
    const rest = { usage: beyond(all.usage, this.#turn.usage), costUsd: this.#book(Math.max(0, more)) }
    this.#told = totals.total
    this.#untold = nothing
    this.#turn = nothing
    return rest
  }

  #book(costUsd: number): number {
    const covered = Math.min(this.#aheadUsd, costUsd)
    this.#aheadUsd -= covered
    return costUsd - covered
  }

  #sinceTold({ total, own }: Totals): Spent {
    const reported = this.#told
    if (reported !== undefined) {
      const hasFallen = total.costUsd < reported.costUsd
      const usage = usageSince(total.usage, reported.usage)
      const costUsd = hasFallen ? total.costUsd : total.costUsd - reported.costUsd
      return {
        usage: beyond(usage, this.#untold.usage),
        costUsd: Math.max(0, costUsd - this.#untold.costUsd),
      }
    }
    // Of a session that began before: this turn's part of the tokens has its part of the cost.
    const all = tokensOf(total.usage)
    const share = all === 0 ? 0 : Math.min(1, tokensOf(own) / all)
    return { usage: own, costUsd: total.costUsd * share }
  }
}

export function sumOf(one: Spent, other: Spent): Spent {
  return { usage: addUsage(one.usage, other.usage), costUsd: one.costUsd + other.costUsd }
}

export function usageOf({ fresh, cacheWritten, cacheRead, output }: ClaudeTokens): TokenUsage {
  return {
    inputTokens: fresh + cacheWritten + cacheRead,
    outputTokens: output,
    cachedInputTokens: cacheRead,
    estimated: false,
  }
}

/** Nothing is booked twice, and nothing taken back. */
function beyond(total: TokenUsage, booked: TokenUsage): TokenUsage {
  const remainingOf = (all: number, part: number) => Math.max(0, all - part)
  return {
    inputTokens: remainingOf(total.inputTokens, booked.inputTokens),
    outputTokens: remainingOf(total.outputTokens, booked.outputTokens),
    cachedInputTokens: remainingOf(total.cachedInputTokens ?? 0, booked.cachedInputTokens ?? 0),
    estimated: total.estimated,
  }
}

function tokensOf({ inputTokens, outputTokens }: TokenUsage): number {
  return inputTokens + outputTokens
}

/** US dollars per million tokens of input and output. */
const families: readonly (readonly [part: string, input: number, output: number])[] = [
  ['haiku', 1, 5],
  ['sonnet', 3, 15],
  ['opus', 5, 25],
]

/** The provider's factors on the price of input. */
const writtenFactor = 1.25
const readFactor = 0.1

/**
 * What Claude's models cost, as far as their family tells: only for the time until Claude Code says itself what a turn has
 * cost, so that a cap on cost can end a turn that is going on. Undefined: a model of no family that is known.
 */
export function guessCostUsd(model: string, tokens: ClaudeTokens): number | undefined {
  const family = families.find(([part]) => model.includes(part))
  if (family === undefined) return undefined
  const [, input, output] = family
  const { fresh, cacheWritten, cacheRead } = tokens
  const paidInput = fresh + cacheWritten * writtenFactor + cacheRead * readFactor
  return (paidInput * input + tokens.output * output) / 1e6
}
