import { UsageError } from '../../base/index.ts'
import { nearest } from '@donecheck/core/internal/base'
import type { PricesUsd } from '@donecheck/core/internal/budgets'

/** The user's prices by `provider/model` or model name. */
export type PriceTable = Readonly<Record<string, PricesUsd>>

/** List prices of November 2025, without discounts. Omits tiered prices: unknown is better than wrong. */
const listed: ReadonlyMap<string, readonly [input: number, output: number]> = new Map([
  ['openai/gpt-5', [1.25, 10]],
  ['openai/gpt-5-mini', [0.25, 2]],
  ['openai/gpt-5-nano', [0.05, 0.4]],
  ['openai/gpt-4.1', [2, 8]],
  ['openai/gpt-4.1-mini', [0.4, 1.6]],
  ['openai/gpt-4.1-nano', [0.1, 0.4]],
  ['openai/gpt-4o', [2.5, 10]],
  ['openai/gpt-4o-mini', [0.15, 0.6]],
  ['openai/o3', [2, 8]],
  ['openai/o4-mini', [1.1, 4.4]],
  ['anthropic/claude-opus-4-5', [5, 25]],
  ['anthropic/claude-opus-4-5-20251101', [5, 25]],
  ['anthropic/claude-opus-4-1', [15, 75]],
  ['anthropic/claude-opus-4-1-20250805', [15, 75]],
  ['anthropic/claude-haiku-4-5', [1, 5]],
  ['anthropic/claude-haiku-4-5-20251001', [1, 5]],
  ['anthropic/claude-sonnet-4-5', [3, 15]],
  ['anthropic/claude-sonnet-4-5-20250929', [3, 15]],
  ['anthropic/claude-3-5-haiku-20241022', [0.8, 4]],
  ['google/gemini-2.5-flash', [0.3, 2.5]],
  ['google/gemini-2.5-flash-lite', [0.1, 0.4]],
])

export const listedModels: readonly string[] = [...listed.keys()]

/** Suggests a listed name; undefined if the model is listed, or another version of one. */
export function nearestModel(model: string): string | undefined {
  if (listed.has(model)) return undefined
  const digits = (name: string) => name.replaceAll(/\D/g, '')
  return nearest(
    model,
    listedModels.filter((name) => digits(name) === digits(model)),
  )
}

/** The user's price, else the list price, else null. @throws {UsageError} for an invalid price */
export function pricesOf(model: string, userPrices: PriceTable = {}): PricesUsd | null {
  const bare = model.slice(model.indexOf('/') + 1)
  const own = [model, bare].find((name) => Object.hasOwn(userPrices, name))
  const given = own === undefined ? undefined : userPrices[own]
  if (own !== undefined && given !== undefined) return checkPrices(own, given)
  const list = listed.get(model)
  return list === undefined ? null : { inputPerMillionTokens: list[0], outputPerMillionTokens: list[1] }
}

function checkPrices(model: string, prices: PricesUsd): PricesUsd {
  for (const [field, price] of Object.entries({ ...prices }))
    if (typeof price !== 'number' || !Number.isFinite(price) || price < 0)
      throw new UsageError(
        `the price ${field} of ${model} is ${String(price)}: it must be a number, 0 or more`,
      )
  return prices
}
