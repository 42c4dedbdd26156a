/** What can be configured: one shape for file, environment and flags. */
import { z } from 'zod'
import { explainIssue, UsageError, given } from '@donecheck/engine/base'
import type { CheckInput } from './checks/spec.ts'
import { checkKeys } from './keys/checks.ts'
import { flagOfKey, type ConfigFlag } from './keys/flag.ts'
import { judgeKeys } from './keys/judges.ts'
import { permissionKeys } from './keys/permissions.ts'
import { agentKeys, capKeys, endKeys, recordKeys } from './keys/run.ts'

/** The schema of every key. */
export const configFields = {
  ...agentKeys,
  ...checkKeys,
  ...endKeys,
  ...judgeKeys,
  ...capKeys,
  ...permissionKeys,
  ...recordKeys,
}

/** The keys that can be typed, in the order of their help. */
export const configFlags: readonly ConfigFlag[] = Object.entries(configFields).flatMap(
  ([key, schema]) => flagOfKey(key, schema) ?? [],
)

const schema = z.strictObject(configFields).partial()

/** With what only editors read: where the JSON schema of the file lies. */
export const schemaOfFile = schema.extend({ $schema: z.string().optional() })

/** What a `donecheck.config.ts` or `.json` may hold. */
type DonecheckConfig = Omit<z.input<typeof schemaOfFile>, 'checks'> & {
  readonly checks?: string | readonly CheckInput[]
}
/** The same after reading: a single check has become a list. */
export type Config = z.output<typeof schema>

export const configKeys: readonly string[] = Object.keys(configFields)

/** Set by a run itself and kept in its record: they have no description, because nobody writes them. */
export const keysOfRecords: readonly string[] = Object.entries(configFields).flatMap(
  ([key, { description }]) => (description === undefined ? [key] : []),
)

/** Keys whose values are texts. */
export const textKeys: readonly string[] = Object.entries(configFields).flatMap(([key, { def }]) =>
  def.type === 'string' ? [key] : [],
)

/**
 * @param source where it stands, for the message: a file, the environment, the flags
 * @throws {UsageError} naming the key, the value and, for an unknown key, the nearest known one
 */
export function parseConfig(given: unknown, source: string): Config {
  const result = schema.safeParse(given)
  if (result.success) return result.data
  throw new UsageError(
    result.error.issues.map((issue) => `${source}: ${explainIssue(issue, given, schema)}`).join('\n'),
  )
}

/** The same for a file, which may say where its JSON schema lies. @throws {UsageError} as `parseConfig` */
export function parseFile(given: unknown, source: string): Config {
  if (typeof given !== 'object' || given === null || !('$schema' in given)) return parseConfig(given, source)
  const { $schema: schemaPlace, ...config } = given
  if (typeof schemaPlace === 'string') return parseConfig(config, source)
  throw new UsageError(`${source}: $schema must be a text, not ${JSON.stringify(schemaPlace)}`)
}

/** For `donecheck.config.ts`: gives the editor the keys and their types, and returns what it is given. */
export function defineConfig(config: DonecheckConfig): DonecheckConfig {
  return config
}

/**
 * Later sources win, key by key. What drives is one choice: a source that names an agent program takes back the model of
 * the sources before it, and the other way round.
 */
export function mergeConfigs(...sources: readonly Config[]): Config {
  return sources.reduce<Config>((before, source) => ({ ...withoutOtherDrive(before, source), ...source }), {})
}

function withoutOtherDrive(before: Config, source: Config): Config {
  const { agent, model, baseUrl, ...rest } = before
  if (source.agent !== undefined) return rest
  const namesModel = source.model !== undefined || source.baseUrl !== undefined
  const withModel = { ...rest, ...given({ model, baseUrl }) }
  return namesModel || agent === undefined ? withModel : { ...withModel, agent }
}
