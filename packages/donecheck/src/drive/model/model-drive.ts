/** A model as a drive: what the user says about it becomes a checked description and a way to ask it. */
import { UsageError } from '../../errors.ts'
import { assertKnownKeys, type OptionKeys } from '../../option-keys.ts'
import type { Drive } from '../../ports.ts'
import { windowOf, type WindowOverrides } from './context-window.ts'
import { driveOver } from './drive-over.ts'
import { pricesOf, type PriceTable } from './prices.ts'
import { installedPackages, type ProviderPackages } from './providers.ts'
import { resolveModel, type Environment } from './resolve-model.ts'

export interface ModelDriveOptions extends WindowOverrides {
  /** `provider/model`, such as `openai/gpt-5`; with a base URL the name that the server has for it. */
  readonly model: string
  /** Address of a server that speaks the OpenAI protocol, such as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl?: string
  /** Where keys are looked up. Default: the environment of this process. */
  readonly environment?: Environment
  /** Prices of your own; they win over the listed ones. */
  readonly prices?: PriceTable
  /** Told to the model after our own instructions. */
  readonly instructions?: string
  /**
   * A provider that sends no byte for so long is given up for this try. Default: two minutes. A slow server with a long
   * prompt may need more; above five minutes the limits of Node's own `fetch` hold.
   */
  readonly stallTimeoutMs?: number
  /** How provider packages are loaded; for tests and bundlers. */
  readonly packages?: ProviderPackages
}

const keys: OptionKeys<ModelDriveOptions> = {
  model: 'needed',
  baseUrl: true,
  environment: true,
  prices: true,
  instructions: true,
  stallTimeoutMs: true,
  packages: true,
  contextWindowTokens: true,
  maxOutputTokens: true,
}

const defaultStallTimeoutMs = 120_000
/** Longest delay of a timer. */
const longestTimeoutMs = 2 ** 31 - 1

/**
 * @throws {UsageError} for an unknown provider, a missing key or package, a limit or price that is none
 */
export async function modelDrive(options: ModelDriveOptions): Promise<Drive> {
  assertKnownKeys(options, keys, 'modelDrive')
  const stallTimeoutMs = options.stallTimeoutMs ?? defaultStallTimeoutMs
  if (!(stallTimeoutMs > 0 && stallTimeoutMs <= longestTimeoutMs))
    throw new UsageError(`stallTimeoutMs is ${stallTimeoutMs}: it must be a number of milliseconds above 0`)
  const { environment = process.env, packages = installedPackages } = options
  const model = await resolveModel(options.model, options.baseUrl, environment, packages)
  const { contextWindowTokens, maxOutputTokens } = windowOf(model.name, model.hosted, options)
  return driveOver({
    description: {
      kind: 'model',
      name: model.name,
      sideEffects: false,
      reportsUsage: true,
      prices: pricesOf(model.name, options.prices),
      maxOutputTokens,
      contextWindowTokens,
    },
    model,
    stallTimeoutMs,
    instructions: options.instructions,
  })
}
