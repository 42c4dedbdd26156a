/** The provider packages, loaded when they are needed and not before: they are optional, and they cost start-up time. */
import type { LanguageModel } from 'ai'
import { UsageError, messageOf } from '../../base/index.ts'
import type { Provider } from './model-name.ts'

/** A model object; a bare name would go to a gateway that nobody asked for. */
export type Model = Exclude<LanguageModel, string>

export interface ProviderSettings {
  readonly apiKey?: string
  readonly baseURL?: string
  readonly fetch: typeof globalThis.fetch
}

export type ProviderFactory = (settings: ProviderSettings) => (model: string) => Model

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

/** @throws {UsageError} saying what to install */
export async function loadProvider(provider: Provider, packages: ProviderPackages): Promise<ProviderFactory> {
  try {
    return await packages[provider]()
  } catch (error) {
    throw missingPackage(provider, error)
  }
}

export function missingPackage(provider: Provider, error: unknown): UsageError {
  const reason = messageOf(error)
  return new UsageError(
    `models of ${provider} need the package @ai-sdk/${provider}, which cannot be loaded: install it with \`npm install @ai-sdk/${provider}\` (${reason})`,
    { cause: error },
  )
}
