import { findPackageJSON } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { EmbeddingModel, LanguageModel } from 'ai'
import { nearest } from '@donecheck/core/internal/base'
import { messageOf, UsageError } from '../../base/index.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface ResolvedModel {
  readonly name: string
  /** False for a server of the user's own. */
  readonly hosted: boolean
  readonly keyVariable: string
  /** Redacted from messages. */
  readonly apiKey: string | undefined
  readonly modelFor: (fetch: typeof globalThis.fetch) => Model
}

const keyVariables: Readonly<Record<HostedProvider, string>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_GENERATIVE_AI_API_KEY',
}

/** A gateway for a hosted provider, with that provider's protocol. */
const baseUrlVariables: Readonly<Record<HostedProvider, string>> = {
  openai: 'OPENAI_BASE_URL',
  anthropic: 'ANTHROPIC_BASE_URL',
  google: 'GOOGLE_GENERATIVE_AI_BASE_URL',
}

/** Optional key for the user's own server. */
const ownServerKey = 'DONECHECK_API_KEY'

/** @throws {UsageError} for an unknown provider, a missing key or package, or an invalid base URL */
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

/** Does not load the package. @throws {UsageError} for an unknown provider, or a missing key or package */
export function nameHostedModel(text: string, environment: Environment): string {
  const { provider, model } = accessFor(text, undefined, environment)
  assertInstalled(provider)
  return `${provider}/${model}`
}

/** `openai.responses` and `gpt-5` → `openai/gpt-5`, the key of prices and windows. */
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

/** @throws {UsageError} for an unknown provider, a missing key, or an invalid base URL */
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

/** Trims, because blanks make an invalid header; empty counts as unset. */
function valueOf(environment: Environment, name: string): string | undefined {
  const value = environment[name]?.trim()
  return value === '' ? undefined : value
}

/** Refuses credentials in the URL: `fetch` rejects them, and records would contain them. */
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
 * @param text as in `parseModelName`
 * @throws {UsageError} for a provider without embeddings, a missing key or package, or an invalid base URL
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

/** A model object; a bare name would go to the SDK's default gateway. */
export type Model = Exclude<LanguageModel, string>

interface ProviderSettings {
  readonly apiKey?: string
  readonly baseURL?: string
  readonly fetch: typeof globalThis.fetch
}

type ProviderFactory = (settings: ProviderSettings) => (model: string) => Model

export type ProviderPackages = Readonly<Record<Provider, () => Promise<ProviderFactory>>>

export const installedPackages: ProviderPackages = {
  openai: async () => (await import('@ai-sdk/openai')).createOpenAI,
  anthropic: async () => (await import('@ai-sdk/anthropic')).createAnthropic,
  google: async () => (await import('@ai-sdk/google')).createGoogleGenerativeAI,
  'openai-compatible': async () => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    return ({ baseURL = '', ...settings }) =>
      createOpenAICompatible({ ...settings, baseURL, name: 'openai-compatible', includeUsage: true })
  },
}

/** @throws {UsageError} with the install command */
async function loadProvider(provider: Provider, packages: ProviderPackages): Promise<ProviderFactory> {
  try {
    return await packages[provider]()
  } catch (error) {
    throw missingPackage(provider, error)
  }
}

function isInstalled(provider: Provider): boolean {
  try {
    return findPackageJSON(`@ai-sdk/${provider}`, import.meta.url) !== undefined
  } catch {
    return false
  }
}

/** Whether the provider's package can be loaded. @param name `provider/model` */
export function canLoadModel(name: string): boolean {
  return isInstalled(parseModelName(name, false).provider)
}

/** Install command of the provider's package, which must be next to ours. @param name `provider/model` */
export function installLine(name: string): string {
  return installLineOf(parseModelName(name, false).provider)
}

function installLineOf(provider: Provider): string {
  return `npm install ${isGlobal() ? '--global ' : ''}@ai-sdk/${provider}`
}

/** npm's global folder: `lib/node_modules` of its prefix; on Windows next to Node or the user's. */
function isGlobal(): boolean {
  const path = fileURLToPath(import.meta.url).replaceAll('\\', '/')
  return /\/(?:lib|npm|nodejs)\/node_modules\//.test(path)
}

/** @throws {UsageError} with the install command */
function assertInstalled(provider: Provider): void {
  if (!isInstalled(provider)) throw missingPackage(provider, 'it is not installed')
}

function missingPackage(provider: Provider, error: unknown): UsageError {
  const reason = messageOf(error)
  return new UsageError(
    `models of ${provider} need the package @ai-sdk/${provider}, which cannot be loaded: install it with \`${installLineOf(provider)}\` (${reason})`,
    { cause: error },
  )
}

type HostedProvider = 'openai' | 'anthropic' | 'google'
type Provider = HostedProvider | 'openai-compatible'

const hostedProviders: readonly HostedProvider[] = ['openai', 'anthropic', 'google']
const ownProvider = 'openai-compatible'
const providers: readonly Provider[] = [...hostedProviders, ownProvider]

interface ModelName {
  readonly provider: Provider
  readonly model: string
}

/**
 * `provider/model`; with a base URL the entire text is the model, as in `openai/gpt-oss-20b`, except a prefix
 * `openai-compatible/`.
 * @throws {UsageError} naming what is missing or unknown
 */
export function parseModelName(text: string, hasBaseUrl: boolean): ModelName {
  const prefix = `${ownProvider}/`
  if (hasBaseUrl)
    return nameModel(ownProvider, text.startsWith(prefix) ? text.slice(prefix.length) : text, text)
  const slash = text.indexOf('/')
  if (slash < 0) throw new UsageError(noProvider(text))
  const given = text.slice(0, slash)
  const provider = providers.find((known) => known === given.toLowerCase())
  if (provider === undefined) throw new UsageError(unknownProvider(text, given))
  if (provider === ownProvider)
    throw new UsageError(
      `model "${text}" needs the address of its server: add --base-url URL (baseUrl), such as http://127.0.0.1:11434/v1`,
    )
  return nameModel(provider, text.slice(slash + 1), text)
}

function nameModel(provider: Provider, model: string, text: string): ModelName {
  if (model.trim() === '')
    throw new UsageError(`model "${text}" has no name: write provider/model, such as openai/gpt-5`)
  return { provider, model }
}

function noProvider(text: string): string {
  const guess = text === '' ? 'openai/gpt-5' : `${providerFor(text)}/${text}`
  return `model "${text}" names no provider: write provider/model, such as ${guess}, or add --base-url URL (baseUrl) for a server of your own`
}

function providerFor(model: string): HostedProvider {
  if (/^claude/i.test(model)) return 'anthropic'
  return /^gemini/i.test(model) ? 'google' : 'openai'
}

function unknownProvider(text: string, given: string): string {
  const near = nearest(given, providers)
  const hint = near === undefined ? '' : ` Did you mean ${near}/${text.slice(given.length + 1)}?`
  return `model "${text}": unknown provider "${given}".${hint} Known are ${providers.join(', ')}; any server that speaks the OpenAI protocol works with --base-url URL (baseUrl)`
}
