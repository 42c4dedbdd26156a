import type { EmbeddingModel } from 'ai'
import { UsageError } from '../../base/index.ts'
import type { Provider } from './model-name.ts'
import { missingPackage, type ProviderSettings } from './providers.ts'
import { accessFor, type Environment } from './resolve-model.ts'

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
