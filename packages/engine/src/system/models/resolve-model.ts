/** From what the user wrote to something that makes models: names, keys and addresses are settled here, once. */
import type { EmbeddingModel } from 'ai'
import { UsageError } from '../../base/index.ts'
import { hostedProviders, parseModelName, type HostedProvider, type Provider } from './model-name.ts'
import {
  assertInstalled,
  loadProvider,
  missingPackage,
  type Model,
  type ProviderPackages,
  type ProviderSettings,
} from './providers.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface ResolvedModel {
  /** `provider/model`. */
  readonly name: string
  /** False: a server of the user's own. */
  readonly hosted: boolean
  /** The variable that holds the key, for messages. */
  readonly keyVariable: string
  /** To be blotted out of messages; never shown. */
  readonly apiKey: string | undefined
  /** A model whose requests go through this `fetch`. */
  readonly modelFor: (fetch: typeof globalThis.fetch) => Model
}

const keyVariables: Readonly<Record<HostedProvider, string>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_GENERATIVE_AI_API_KEY',
}

/** A gateway in front of a hosted provider; it speaks that provider's own protocol. */
const baseUrlVariables: Readonly<Record<HostedProvider, string>> = {
  openai: 'OPENAI_BASE_URL',
  anthropic: 'ANTHROPIC_BASE_URL',
  google: 'GOOGLE_GENERATIVE_AI_BASE_URL',
}

/** For servers of one's own; optional, most of them ask for none. */
const ownServerKey = 'DONECHECK_API_KEY'

/** @throws {UsageError} for an unknown provider, a missing key, a missing package, a base URL that is none */
export async function resolveModel(
  text: string,
  baseUrl: string | undefined,
  environment: Environment,
  packages: ProviderPackages,
): Promise<ResolvedModel> {
  const { provider, model, host, settings } = accessFor(text, baseUrl, environment)
  const create = await loadProvider(provider, packages)
  return {
    name: `${provider}/${model}`,
    hosted: host !== undefined,
    keyVariable: host === undefined ? ownServerKey : keyVariables[host],
    apiKey: settings.apiKey,
    modelFor: (fetch) => create({ ...settings, fetch })(model),
  }
}

/**
 * The name of a hosted model, before its package is loaded.
 * @throws {UsageError} for an unknown provider, a missing key, a package that is not installed
 */
export function nameHostedModel(text: string, environment: Environment): string {
  const { provider, model } = accessFor(text, undefined, environment)
  assertInstalled(provider)
  return `${provider}/${model}`
}

/** `openai.responses` and `gpt-5` → `openai/gpt-5`, the name under which prices and windows are listed. */
export function resolveLanguageModel(model: Model): ResolvedModel {
  const [provider = ''] = model.provider.split('.')
  return {
    name: `${provider}/${model.modelId}`,
    hosted: true,
    keyVariable: `the key of ${provider}`,
    apiKey: undefined,
    modelFor: () => model,
  }
}

type Access = Omit<ProviderSettings, 'fetch'>

/** @throws {UsageError} for an unknown provider, a missing key, a base URL that is none */
function accessFor(text: string, baseUrl: string | undefined, environment: Environment) {
  const { provider, model } = parseModelName(text, baseUrl !== undefined)
  const host = hostedProviders.find((known) => known === provider)
  const settings =
    host === undefined ? ownServer(baseUrl, environment) : hostedAccess(host, text, environment)
  return { provider, model, host, settings }
}

function hostedAccess(provider: HostedProvider, text: string, environment: Environment): Access {
  const variable = keyVariables[provider]
  const apiKey = valueOf(environment, variable)
  if (apiKey === undefined)
    throw new UsageError(`model "${text}" needs a key: set ${variable} in the environment`)
  const baseUrl = valueOf(environment, baseUrlVariables[provider])
  return baseUrl === undefined
    ? { apiKey }
    : { apiKey, baseURL: webAddress(baseUrl, baseUrlVariables[provider]) }
}

function ownServer(baseUrl: string | undefined, environment: Environment): Access {
  const apiKey = valueOf(environment, ownServerKey)
  const baseURL = webAddress(baseUrl ?? '', 'the base URL')
  return apiKey === undefined ? { baseURL } : { apiKey, baseURL }
}

/** An empty variable counts as none; blanks around a pasted key would make a bad header. */
function valueOf(environment: Environment, name: string): string | undefined {
  const value = environment[name]?.trim()
  return value === '' ? undefined : value
}

/** A key inside the address would be refused by `fetch`, and would stand in records and messages. */
function webAddress(text: string, what: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new UsageError(
      `${what} "${text}" is no web address: write it whole, such as http://127.0.0.1:11434/v1`,
    )
  if (url.username !== '' || url.password !== '')
    throw new UsageError(
      `${what} of ${url.host} holds a user or a password: put the key into the environment instead`,
    )
  return text
}

/** A model object of the AI SDK that makes vectors of texts. */
export type Embedder = Exclude<EmbeddingModel, string>

const makers: Readonly<Record<Provider, (settings: ProviderSettings, model: string) => Promise<Embedder>>> = {
  openai: async (settings, model) =>
    (await import('@ai-sdk/openai')).createOpenAI(settings).embeddingModel(model),
  google: async (settings, model) =>
    (await import('@ai-sdk/google')).createGoogleGenerativeAI(settings).embeddingModel(model),
  anthropic: () =>
    Promise.reject(new UsageError('anthropic has no embedding models; name one of openai or google')),
  'openai-compatible': async ({ baseURL = '', ...settings }, model) => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    return createOpenAICompatible({ ...settings, baseURL, name: 'openai-compatible' }).embeddingModel(model)
  },
}

/**
 * @param text `provider/model`; with a base URL the name that the server has for it
 * @throws {UsageError} for an unknown provider, one without embeddings, a missing key or package, a base URL that is none
 */
export async function embeddingModel(
  text: string,
  baseUrl: string | undefined,
  environment: Environment,
): Promise<Embedder> {
  const { provider, model, settings } = accessFor(text, baseUrl, environment)
  try {
    return await makers[provider]({ ...settings, fetch: globalThis.fetch }, model)
  } catch (error) {
    throw error instanceof UsageError ? error : missingPackage(provider, error)
  }
}
