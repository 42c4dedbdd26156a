/** The model that is asked for a judgement: its name, its price, and who pays. */
import { optionKeys, UsageError } from '../../base/index.ts'
import type { PricesUsd } from '@donecheck/core/budgets'
import {
  installedPackages,
  parseModelName,
  pricesOf,
  resolveLanguageModel,
  resolveModel,
  type Environment,
  type Model,
  type PriceTable,
  type ProviderPackages,
  type ResolvedModel,
} from '../../system/models/index.ts'
import { judgeAccount, type JudgeAccount } from './account.ts'

export interface ModelToAsk {
  /** `provider/model`, such as `openai/gpt-5`; with a base URL the name that the server has for it. Or a model object of the AI SDK. */
  readonly model: string | Model
  /** Address of a server that speaks the OpenAI protocol. */
  readonly baseUrl?: string
  /** Where keys are looked up. Default: the environment of this process. */
  readonly environment?: Environment
  readonly prices?: PriceTable
  /** What it may spend. Default: an account of its own without bounds. */
  readonly account?: JudgeAccount
  /** How provider packages are loaded; for tests and bundlers. */
  readonly packages?: ProviderPackages
}

export const askedModelKeys = optionKeys<ModelToAsk>()('model! baseUrl environment prices account packages')

export interface AskedModel {
  readonly name: string
  readonly prices: PricesUsd | null
  readonly account: JudgeAccount
  /** Only when it is asked: a run that goes on needs no key. Rejects with a {@link UsageError} where one is missing. */
  readonly resolve: () => Promise<ResolvedModel>
}

/**
 * @param bounds by the names of their options
 * @throws {UsageError} for a name that is none, a bound that is none, or a cap on cost where the price is unknown
 */
export function askedModel(options: ModelToAsk, bounds: Readonly<Record<string, number>>): AskedModel {
  for (const [key, value] of Object.entries(bounds))
    if (!Number.isInteger(value) || value < 1)
      throw new UsageError(`${key} is ${value}; give a whole number above 0`)
  const { model, baseUrl, environment = process.env, packages = installedPackages } = options
  const { account = judgeAccount() } = options
  const name = nameOf(model, baseUrl)
  const prices = pricesOf(name, options.prices)
  if (prices === null && account.maxCostUsd !== null)
    throw new UsageError(
      `the price of ${name} is unknown, so its cost cannot be bounded: give its prices, or bound its tokens`,
    )
  const resolve = async () =>
    typeof model === 'string'
      ? resolveModel(model, baseUrl, environment, packages)
      : resolveLanguageModel(model)
  return { name, prices, account, resolve }
}

function nameOf(model: string | Model, baseUrl: string | undefined): string {
  if (typeof model !== 'string') return resolveLanguageModel(model).name
  const { provider, model: id } = parseModelName(model, baseUrl !== undefined)
  return `${provider}/${id}`
}
