import type { TokenUsage } from '@donecheck/core/internal/budgets'
import {
  numberIn,
  payloadOf,
  type Payload,
  addUsage,
  noUsage,
  usageBeyond,
} from '../../protocol/host/index.ts'

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

const nothing: Spent = { usage: noUsage, costUsd: 0 }

export class ClaudeSpending {
  #turn = nothing
  /** Excess of the estimate, deducted from the next booking. */
  #aheadUsd = 0

  beginTurn(): void {
    this.#turn = nothing
  }

  step(tokens: ClaudeTokens, model: string): Spent {
    const guessed = { usage: usageOf(tokens), costUsd: guessCostUsd(model, tokens) ?? 0 }
    this.#turn = sumOf(this.#turn, guessed)
    return { usage: guessed.usage, costUsd: this.#book(guessed.costUsd) }
  }

  /** Returns what the steps did not report. @param all of the turn */
  rest(all: Spent): Spent {
    const more = all.costUsd - this.#turn.costUsd
    this.#aheadUsd += Math.max(0, -more)
    const rest = { usage: usageBeyond(all.usage, this.#turn.usage), costUsd: this.#book(Math.max(0, more)) }
    this.#turn = nothing
    return rest
  }

  #book(costUsd: number): number {
    const covered = Math.min(this.#aheadUsd, costUsd)
    this.#aheadUsd -= covered
    return costUsd - covered
  }
}

export function sumOf(one: Spent, other: Spent): Spent {
  return { usage: addUsage(one.usage, other.usage), costUsd: one.costUsd + other.costUsd }
}

export function addSpent(before: Spent | undefined, more: Spent | undefined): Spent | undefined {
  return before === undefined || more === undefined ? more : sumOf(before, more)
}

function usageOf({ fresh, cacheWritten, cacheRead, output }: ClaudeTokens): TokenUsage {
  return {
    inputTokens: fresh + cacheWritten + cacheRead,
    outputTokens: output,
    cachedInputTokens: cacheRead,
    estimated: false,
  }
}

/** US dollars per million tokens of input and output. */
const families: readonly (readonly [part: string, input: number, output: number])[] = [
  ['haiku', 1, 5],
  ['sonnet', 3, 15],
  ['opus', 5, 25],
]

const writtenFactor = 1.25
const readFactor = 0.1

/** Estimates the cost within a turn, for the cost cap. @returns undefined for an unknown model */
export function guessCostUsd(model: string, tokens: ClaudeTokens): number | undefined {
  const family = families.find(([part]) => model.includes(part))
  if (family === undefined) return undefined
  const [, input, output] = family
  const { fresh, cacheWritten, cacheRead } = tokens
  const paidInput = fresh + cacheWritten * writtenFactor + cacheRead * readFactor
  return (paidInput * input + tokens.output * output) / 1e6
}

/** Sums all models. @returns undefined if none are reported */
export function spentInResult(line: Payload): Spent | undefined {
  const models = payloadOf(line['model_usage_since_last_result'])
  if (models === undefined) return undefined
  return Object.values(models)
    .map((model) => ({
      usage: usageOf(tokensIn(model, resultNames)),
      costUsd: Math.max(0, numberIn(model, 'costUSD') ?? 0),
    }))
    .reduce(sumOf, nothing)
}

type Names = Readonly<Record<keyof ClaudeTokens, string>>

const providerNames: Names = {
  fresh: 'input_tokens',
  cacheWritten: 'cache_creation_input_tokens',
  cacheRead: 'cache_read_input_tokens',
  output: 'output_tokens',
}
const resultNames: Names = {
  fresh: 'inputTokens',
  cacheWritten: 'cacheCreationInputTokens',
  cacheRead: 'cacheReadInputTokens',
  output: 'outputTokens',
}

export function tokensIn(counts: unknown, names = providerNames): ClaudeTokens {
  const count = (name: string) => Math.max(0, Math.round(numberIn(counts, name) ?? 0))
  return {
    fresh: count(names.fresh),
    cacheWritten: count(names.cacheWritten),
    cacheRead: count(names.cacheRead),
    output: count(names.output),
  }
}
