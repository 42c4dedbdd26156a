import type { TokenUsage } from '@donecheck/core/budgets'
import {
  isTrueIn,
  recordsIn,
  numberIn,
  payloadOf,
  textIn,
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
  /** Guessed beyond what it was: taken off what is booked next. */
  #aheadUsd = 0

  beginTurn(): void {
    this.#turn = nothing
  }

  step(tokens: ClaudeTokens, model: string): Spent {
    const guessed = { usage: usageOf(tokens), costUsd: guessCostUsd(model, tokens) ?? 0 }
    this.#turn = sumOf(this.#turn, guessed)
    return { usage: guessed.usage, costUsd: this.#book(guessed.costUsd) }
  }

  /** Returns what the steps have not told. @param all of the turn */
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

export interface ClaudeResult {
  readonly subtype: string
  readonly isError: boolean
  readonly apiStatus: number | undefined
  readonly terminalReason: string | undefined
  readonly text: string | undefined
  readonly errors: readonly string[]
  readonly deniedTools: readonly string[]
  readonly stopReason: string | undefined
  /** Of the turn until now. Undefined when Claude Code does not report it. */
  readonly spent: Spent | undefined
}

export function laterResult(before: ClaudeResult | undefined, result: ClaudeResult): ClaudeResult {
  if (before?.spent === undefined || result.spent === undefined) return result
  return { ...result, spent: sumOf(before.spent, result.spent) }
}

export function resultOf(line: Payload): ClaudeResult {
  return {
    subtype: textIn(line, 'subtype') ?? '',
    isError: isTrueIn(line, 'is_error'),
    apiStatus: numberIn(line, 'api_error_status'),
    terminalReason: textIn(line, 'terminal_reason'),
    text: textIn(line, 'result'),
    errors: Array.isArray(line['errors']) ? line['errors'].filter((error) => typeof error === 'string') : [],
    deniedTools: recordsIn(line, 'permission_denials').flatMap((denial) => textIn(denial, 'tool_name') ?? []),
    stopReason: textIn(line, 'stop_reason'),
    spent: ofModels(line['model_usage_since_last_result']),
  }
}

/** The sum over all models. Undefined when no models are reported. */
function ofModels(reported: unknown): Spent | undefined {
  const models = payloadOf(reported)
  if (models === undefined) return undefined
  const spent = Object.values(models)
    .map(payloadOf)
    .filter((entry) => entry !== undefined)
    .map((entry) => ({
      usage: usageOf(tokensIn(entry, ofClaudeCode)),
      costUsd: Math.max(0, numberIn(entry, 'costUSD') ?? 0),
    }))
  return spent.reduce(sumOf, { usage: noUsage, costUsd: 0 })
}

type Names = Readonly<Record<keyof ClaudeTokens, string>>

const ofProvider: Names = {
  fresh: 'input_tokens',
  cacheWritten: 'cache_creation_input_tokens',
  cacheRead: 'cache_read_input_tokens',
  output: 'output_tokens',
}
const ofClaudeCode: Names = {
  fresh: 'inputTokens',
  cacheWritten: 'cacheCreationInputTokens',
  cacheRead: 'cacheReadInputTokens',
  output: 'outputTokens',
}

export function tokensIn(counts: Payload, names = ofProvider): ClaudeTokens {
  const count = (name: string) => Math.max(0, Math.round(numberIn(counts, name) ?? 0))
  return {
    fresh: count(names.fresh),
    cacheWritten: count(names.cacheWritten),
    cacheRead: count(names.cacheRead),
    output: count(names.output),
  }
}
