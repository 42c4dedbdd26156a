/** The provider packages, loaded when they are needed and not before: they are optional, and they cost start-up time. */
import { findPackageJSON } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { LanguageModel } from 'ai'
import { UsageError, messageOf } from '../../base/index.ts'
import { parseModelName, type Provider } from './model-name.ts'

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

/** Whether the package of a provider can be loaded from here. */
function isInstalled(provider: Provider): boolean {
  try {
    return findPackageJSON(`@ai-sdk/${provider}`, import.meta.url) !== undefined
  } catch {
    return false
  }
}

/** @param name `provider/model`. Whether the package of its provider can be loaded. */
export function canLoadModel(name: string): boolean {
  return isInstalled(parseModelName(name, false).provider)
}

/** @param name `provider/model`. What to type; a package is found only beside ours. */
export function installLine(name: string): string {
  return installLineOf(parseModelName(name, false).provider)
}

function installLineOf(provider: Provider): string {
  return `npm install ${isGlobal() ? '--global ' : ''}@ai-sdk/${provider}`
}

/** npm keeps global packages in `lib/node_modules` of its prefix, on Windows in `node_modules` beside Node or its folder of users. */
function isGlobal(): boolean {
  const path = fileURLToPath(import.meta.url).replaceAll('\\', '/')
  return /\/(?:lib|npm|nodejs)\/node_modules\//.test(path)
}

/** @throws {UsageError} saying what to install */
export function assertInstalled(provider: Provider): void {
  if (!isInstalled(provider)) throw missingPackage(provider, 'it is not installed')
}

export function missingPackage(provider: Provider, error: unknown): UsageError {
  const reason = messageOf(error)
  return new UsageError(
    `models of ${provider} need the package @ai-sdk/${provider}, which cannot be loaded: install it with \`${installLineOf(provider)}\` (${reason})`,
    { cause: error },
  )
}
