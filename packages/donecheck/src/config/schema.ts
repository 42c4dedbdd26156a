import { z } from 'zod'
import { explainIssue, UsageError, given } from '@donecheck/engine/internal/base'
import type { CheckInput } from './checks/spec.ts'
import { checkKeys } from './keys/checks.ts'
import { flagOfKey, type ConfigFlag } from './keys/flag.ts'
import { judgeKeys } from './keys/judges.ts'
import { permissionKeys } from './keys/permissions.ts'
import { agentKeys, capKeys, endKeys, recordKeys } from './keys/run.ts'

export const configFields = {
  ...agentKeys,
  ...checkKeys,
  ...endKeys,
  ...judgeKeys,
  ...capKeys,
  ...permissionKeys,
  ...recordKeys,
}

export const configFlags: readonly ConfigFlag[] = Object.entries(configFields).flatMap(
  ([key, schema]) => flagOfKey(key, schema) ?? [],
)

const schema = z.strictObject(configFields).partial()

export const schemaOfFile = schema.extend({ $schema: z.string().optional() })

type DonecheckConfig = Omit<z.input<typeof schemaOfFile>, 'checks'> & {
  readonly checks?: string | readonly CheckInput[]
}
export type Config = z.output<typeof schema>

export const configKeys: readonly string[] = Object.keys(configFields)

/** Set by runs only; undocumented, so without a description. */
export const keysOfRecords: readonly string[] = Object.entries(configFields).flatMap(
  ([key, { description }]) => (description === undefined ? [key] : []),
)

export const textKeys: readonly string[] = Object.entries(configFields).flatMap(([key, { def }]) =>
  def.type === 'string' ? [key] : [],
)

/** @param source named in messages @throws {UsageError} with the key, the value, and the nearest key */
export function parseConfig(given: unknown, source: string): Config {
  const result = schema.safeParse(given)
  if (result.success) return result.data
  throw new UsageError(
    result.error.issues.map((issue) => `${source}: ${explainIssue(issue, given, schema)}`).join('\n'),
  )
}

/** Allows `$schema`. @throws {UsageError} as `parseConfig` */
export function parseFile(given: unknown, source: string): Config {
  if (typeof given !== 'object' || given === null || !('$schema' in given)) return parseConfig(given, source)
  const { $schema: schemaPlace, ...config } = given
  if (typeof schemaPlace === 'string') return parseConfig(config, source)
  throw new UsageError(`${source}: $schema must be a text, not ${JSON.stringify(schemaPlace)}`)
}

/** Types `donecheck.config.ts`; returns its argument. */
export function defineConfig(config: DonecheckConfig): DonecheckConfig {
  return config
}

/** Later sources win; naming an agent replaces a model from an earlier source, and the other way round. */
export function mergeConfigs(...sources: readonly Config[]): Config {
  return sources.reduce<Config>((before, source) => ({ ...withoutOtherAgent(before, source), ...source }), {})
}

function withoutOtherAgent(before: Config, source: Config): Config {
  const { agent, model, baseUrl, ...rest } = before
  if (source.agent !== undefined) return rest
  const namesModel = source.model !== undefined || source.baseUrl !== undefined
  const withModel = { ...rest, ...given({ model, baseUrl }) }
  return namesModel || agent === undefined ? withModel : { ...withModel, agent }
}
