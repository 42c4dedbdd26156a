/** Reads `provider/model`. */
import { closest, distance } from 'fastest-levenshtein'
import { UsageError } from '../../base/index.ts'

export type HostedProvider = 'openai' | 'anthropic' | 'google'
export type Provider = HostedProvider | 'openai-compatible'

export const hostedProviders: readonly HostedProvider[] = ['openai', 'anthropic', 'google']
const ownServer = 'openai-compatible'
const providers: readonly Provider[] = [...hostedProviders, ownServer]

export interface ModelName {
  readonly provider: Provider
  /** As it is sent; may hold slashes and colons. */
  readonly model: string
}

/**
 * Without a base URL: `provider/model`. With one, everything is the model's name, because servers of one's own call
 * their models `openai/gpt-oss-20b` or `google/gemma-3-12b` too; only the prefix `openai-compatible/` is taken off.
 * @throws {UsageError} naming what is missing or unknown, and the way out
 */
export function parseModelName(text: string, hasBaseUrl: boolean): ModelName {
  const prefix = `${ownServer}/`
  if (hasBaseUrl)
    return nameModel(ownServer, text.startsWith(prefix) ? text.slice(prefix.length) : text, text)
  const slash = text.indexOf('/')
  if (slash < 0) throw new UsageError(noProvider(text))
  const given = text.slice(0, slash)
  const provider = providers.find((known) => known === given.toLowerCase())
  if (provider === undefined) throw new UsageError(unknownProvider(text, given))
  if (provider === ownServer)
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
  const nearest = closest(given.toLowerCase(), providers)
  const hint =
    distance(given.toLowerCase(), nearest) <= 3
      ? ` Did you mean ${nearest}/${text.slice(given.length + 1)}?`
      : ''
  return `model "${text}": unknown provider "${given}".${hint} Known are ${providers.join(', ')}; any server that speaks the OpenAI protocol works with --base-url URL (baseUrl)`
}
