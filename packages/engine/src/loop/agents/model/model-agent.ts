import { z } from 'zod'
import { UsageError, assertKnownKeys, assertShape, optionKeys } from '../../../base/index.ts'
import type { AgentDescription } from '@donecheck/core/internal/events/settings'
import type { Agent } from '../../../ports/loop.ts'
import { buildModelAgent } from './agent-over.ts'
import {
  installedPackages,
  nameHostedModel,
  pricesOf,
  resolveLanguageModel,
  resolveModel,
  type Environment,
  type Model,
  type PriceTable,
  type ProviderPackages,
  type ResolvedModel,
} from '../../../system/models/index.ts'

export interface ModelAgentOptions extends WindowOverrides {
  /** `provider/model`, the server's model name with `baseUrl`, or an AI SDK model. */
  readonly model: string | Model
  /** OpenAI-compatible server, such as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl?: string
  /** Contains the API keys. Default: the environment of this process. */
  readonly environment?: Environment
  /** Override the listed prices. */
  readonly prices?: PriceTable
  /** Sent to the model after our own instructions. */
  readonly instructions?: string
  /** Milliseconds without a byte until a try is given up. Default: 2 min; `fetch` limits it to 5 min. */
  readonly stallTimeoutMs?: number
  /** Loads provider packages; for tests and bundlers. */
  readonly packages?: ProviderPackages
}

const keys = optionKeys<ModelAgentOptions>()(`
  model! baseUrl environment prices instructions stallTimeoutMs packages contextWindowTokens
  maxOutputTokens
`)

const defaultStallTimeoutMs = 120_000
const maxTimeoutMs = 2 ** 31 - 1

/** @throws {UsageError} for an unknown provider, a missing key or package, an invalid limit or price */
export async function modelAgent(options: ModelAgentOptions): Promise<Agent> {
  assertKnownKeys(options, keys, 'modelAgent')
  const { environment = process.env, packages = installedPackages } = options
  const stallTimeoutMs = options.stallTimeoutMs ?? defaultStallTimeoutMs
  if (!(stallTimeoutMs > 0 && stallTimeoutMs <= maxTimeoutMs))
    throw new UsageError(`stallTimeoutMs is ${stallTimeoutMs}: it must be a number of milliseconds above 0`)
  const model =
    typeof options.model === 'string'
      ? await resolveModel(options.model, options.baseUrl, environment, packages)
      : givenModel(options, options.model)
  const description = describeModel(model, options)
  return buildModelAgent({ description, model, stallTimeoutMs, instructions: options.instructions })
}

function givenModel({ baseUrl }: ModelAgentOptions, model: Model): ResolvedModel {
  if (baseUrl !== undefined)
    throw new UsageError(
      `baseUrl is "${baseUrl}" and model is an object, which has an address of its own: give its provider the base URL`,
    )
  return resolveLanguageModel(model)
}

/** Returns an agent as it is, or wraps a model with the defaults of `modelAgent`. @throws {UsageError} */
export function toAgent(agent: Agent | Model | string): Agent {
  if (typeof agent === 'string') return createNamedModel(agent)
  if (isObject(agent) && 'doStream' in agent) return languageModelAgent(agent)
  if (isObject(agent) && 'next' in agent && typeof agent.next === 'function') {
    assertShape(agentShape, agent, 'agent')
    return agent
  }
  throw new UsageError(
    `agent is ${describeValue(agent)}; give a model such as 'openai/gpt-5', scriptedAgent([…]), commandAgent({ … }), or an object with description and next`,
  )
}

const agentShape = z.looseObject({
  description: z.looseObject({
    kind: z.string(),
    name: z.string(),
    sideEffects: z.boolean(),
    reportsUsage: z.boolean(),
    maxOutputTokens: z.number().positive(),
    contextWindowTokens: z.number().positive(),
  }),
})

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function describeValue(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  return isObject(value) ? 'an object without next' : String(value)
}

function createNamedModel(model: string): Agent {
  const name = nameHostedModel(model, process.env)
  let agent: Promise<Agent> | undefined
  return {
    description: describeModel({ name, hosted: true }, {}),
    next: async (request, signal) => (await (agent ??= modelAgent({ model }))).next(request, signal),
  }
}

function describeModel(
  { name, hosted }: Pick<ResolvedModel, 'name' | 'hosted'>,
  options: WindowOverrides & { readonly prices?: PriceTable },
): AgentDescription {
  const prices = pricesOf(name, options.prices)
  return {
    kind: 'model',
    name,
    sideEffects: false,
    reportsUsage: true,
    prices,
    ...windowOf(name, hosted, options),
  }
}

function languageModelAgent(given: Model): Agent {
  const model = resolveLanguageModel(given)
  const description = describeModel(model, {})
  return buildModelAgent({
    description,
    model,
    stallTimeoutMs: defaultStallTimeoutMs,
    instructions: undefined,
  })
}

interface WindowLimits {
  readonly contextWindowTokens: number
  readonly maxOutputTokens: number
}

interface WindowOverrides {
  readonly contextWindowTokens?: number
  readonly maxOutputTokens?: number
}

export const smallestWindowTokens = 2048

/** Smallest window of current hosted models. */
const hostedDefault = 128_000
/** Servers do not report their window, and some cut longer prompts silently; 8,192 works on most. */
const ownServerDefault = 8192
const outputDefault = 8192

const windows: readonly (readonly [prefix: string, tokens: number])[] = [
  ['openai/gpt-5', 400_000],
  ['openai/gpt-4.1', 1_047_576],
  ['openai/gpt-4o', 128_000],
  ['openai/o3', 200_000],
  ['openai/o4-mini', 200_000],
  ['anthropic/claude-', 200_000],
  ['google/gemini-2', 1_048_576],
]

/** @throws {UsageError} if the window is too small, or a reply fills more than half of it */
export function windowOf(name: string, hosted: boolean, overrides: WindowOverrides): WindowLimits {
  const usual = hosted
    ? (windows.find(([prefix]) => name.startsWith(prefix))?.[1] ?? hostedDefault)
    : ownServerDefault
  const contextWindowTokens = overrides.contextWindowTokens ?? usual
  if (!Number.isInteger(contextWindowTokens) || contextWindowTokens < smallestWindowTokens)
    throw new UsageError(
      `contextWindowTokens is ${contextWindowTokens}: it must be a whole number, ${smallestWindowTokens} or more`,
    )
  const maxOutputTokens =
    overrides.maxOutputTokens ?? Math.min(outputDefault, Math.floor(contextWindowTokens / 4))
  const isInRange = Number.isInteger(maxOutputTokens) && maxOutputTokens >= 1
  if (!isInRange || maxOutputTokens > contextWindowTokens / 2)
    throw new UsageError(
      `maxOutputTokens is ${maxOutputTokens}: it must be a whole number from 1 to half of the context window (${contextWindowTokens} tokens)`,
    )
  return { contextWindowTokens, maxOutputTokens }
}
