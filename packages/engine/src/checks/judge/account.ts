/** What judges spend, apart from the drive (I8), reserved before the call (I9). One account may serve several judges. */
import { UsageError, assertKnownKeys, type OptionKeys } from '../../base/index.ts'
import type { RunEvent } from '@donecheck/core/events'

export interface JudgeAccountOptions {
  /** US dollars in one run. */
  readonly maxCostUsd?: number
  /** Tokens in one run, those of prompts and answers together. */
  readonly maxTokens?: number
}

/** The run whose judges pay. */
export interface Payer {
  readonly runId: string
  /** Events that record what its judges spent in earlier processes. */
  readonly events: readonly RunEvent[]
}

export interface Spending {
  readonly tokens: number
  /** Null: the price is unknown. */
  readonly costUsd: number | null
}

export interface JudgeAccount {
  readonly maxCostUsd: number | null
  /** Sets the worst case aside. A text says why not, and then nothing was set aside. */
  reserve(payer: Payer, worst: Spending): Reservation | string
}

export interface Reservation {
  /** What it came to; the rest is given back. */
  settle(real: Spending): void
}

const keys: OptionKeys<JudgeAccountOptions> = { maxCostUsd: true, maxTokens: true }

interface Balance {
  tokens: number
  costUsd: number
}

/** @throws {UsageError} for a bound that is none */
export function judgeAccount(options: JudgeAccountOptions = {}): JudgeAccount {
  assertKnownKeys(options, keys, 'judgeAccount')
  for (const [name, bound] of Object.entries(options))
    if (typeof bound !== 'number' || !(bound > 0))
      throw new UsageError(`${name} is ${String(bound)}; give a number above 0, or leave it out`)
  const { maxCostUsd = Infinity, maxTokens = Infinity } = options
  const balances = new Map<string, Balance>()
  return {
    maxCostUsd: options.maxCostUsd ?? null,
    reserve({ runId, events }, worst) {
      const balance = balances.get(runId) ?? spentBefore(events)
      balances.set(runId, balance)
      const worstUsd = worst.costUsd ?? 0
      if (balance.costUsd + worstUsd > maxCostUsd)
        return `the judges' budget of $${maxCostUsd} is used up: $${balance.costUsd.toFixed(4)} are spent or set aside, and this call may cost $${worstUsd.toFixed(4)}`
      if (balance.tokens + worst.tokens > maxTokens)
        return `the judges' budget of ${maxTokens} tokens is used up: ${balance.tokens} are spent or set aside, and this call may take ${worst.tokens}`
      add(balance, worst, 1)
      return {
        settle: (real) => {
          add(balance, worst, -1)
          add(balance, real, 1)
        },
      }
    },
  }
}

function add(balance: Balance, { tokens, costUsd }: Spending, sign: 1 | -1): void {
  balance.tokens += sign * tokens
  balance.costUsd += sign * (costUsd ?? 0)
}

/** By the record, for a run that was resumed. */
function spentBefore(events: readonly RunEvent[]): Balance {
  const balance: Balance = { tokens: 0, costUsd: 0 }
  for (const event of events) {
    // A verdict that was taken again has not cost anything again.
    const isNew =
      (event.type === 'verdict-given' && !event.verdict.qualifiers.includes('cached')) ||
      event.type === 'reply-judged'
    if (isNew)
      for (const piece of event.verdict.evidence)
        if (piece.kind === 'judge') add(balance, { tokens: piece.tokens ?? 0, costUsd: piece.costUsd }, 1)
  }
  return balance
}
