/** What can be configured: one shape for file, environment and flags. */
import { z } from 'zod'
import { explainIssue, UsageError, given } from '@donecheck/engine/base'
import { completeWhenChoices, ruleModes, verifyWhenChoices } from '@donecheck/core/base'
import { everyCap, isWhole } from '@donecheck/core/budgets'
import { loopDetectionOptions, stagnationOptions, tokenBudgetOptions } from '@donecheck/core/settings'
import { checkFields } from './check-schema.ts'
import type { CheckInput } from './checks/spec.ts'
import { gateFields, hookFields } from './gate-schema.ts'
import { judgeFields } from './judge-schema.ts'
import { waitingMs } from './waiting-time.ts'

const positive = z.number().positive().nullable()
const wholePositive = z.number().int().positive().nullable()
const waitingTime = z
  .string()
  .refine((text) => waitingMs(text) !== undefined, { error: 'must be a time such as 15m, 90s, 6h or off' })
const price = z.strictObject({
  inputPerMillionTokens: z.number().nonnegative(),
  cachedInputPerMillionTokens: z.number().nonnegative().exactOptional(),
  outputPerMillionTokens: z.number().nonnegative(),
})

const fields = {
  ...checkFields,
  model: z.string(),
  baseUrl: z.url(),
  agent: z.string(),
  agentTimeoutSeconds: z.number().positive(),
  workdir: z.string(),
  ...everyCap('key', (bound) => (isWhole(bound) ? wholePositive : positive)),
  /** By name of a tool. */
  maxToolCallsOf: z.record(z.string(), z.number().int().positive()),
  /** Such as `15m`, `90s` or `off`. */
  waitForProvider: waitingTime,
  /** Such as `6h` or `off`. */
  waitForLimit: waitingTime,
  verifyTimeoutSeconds: z.number().positive(),
  verifyWhen: z.enum(verifyWhenChoices),
  verifyAtCap: z.boolean(),
  loopDetection: z.union([z.enum(ruleModes), loopDetectionOptions]),
  stagnation: z.union([z.enum(ruleModes), stagnationOptions]),
  /** A number is the budget in output tokens. */
  tokenBudget: z.union([z.number().int().positive(), tokenBudgetOptions]),
  finalSummary: z.boolean(),
  completeWhen: z.enum(completeWhenChoices),
  unchecked: z.boolean(),
  ...gateFields,
  ...hookFields,
  ...judgeFields,
  shellTimeoutSeconds: z.number().positive(),
  contextWindowTokens: z.number().int().min(2048),
  prices: z.record(z.string(), price),
  /** Names of environment variables whose values are masked in the record. */
  secrets: z.array(z.string()),
  store: z.string(),
  /** Whose runs this one learns from, and leaves something behind for. */
  memory: z.enum(['project', 'user', 'off']),
  allowConcurrent: z.boolean(),
  labels: z.array(z.string()),
  /** Labels that the worker of a fleet must have. */
  needs: z.array(z.string()),
  /** In a fleet, a higher one goes first among the tenant's runs. Default 0. */
  priority: z.number().int().nonnegative(),
  /** In a fleet, who the run is for. Default: the `?tenant=` of `store`, or `default`. */
  tenant: z.string().min(1),
  /** What of a checklist is to be looked at; kept with the run of a heartbeat. */
  keptHeartbeat: z.strictObject({
    name: z.string(),
    due: z.array(z.string()).readonly(),
    notDue: z.array(z.string()).readonly(),
  }),
  /** The run began with a goal file: its model gets the tools to speak of the goal. */
  keptGoal: z.boolean(),
  /** A person at a terminal is told of a question that waits and of the end of a long run. Default true. */
  notify: z.boolean(),
  /** Is told of the same by JSON on its standard input. */
  notifyCommand: z.string(),
  /** Nothing but the closing line is shown. */
  quiet: z.boolean(),
  outputFormat: z.enum(['text', 'json', 'stream-json']),
}

const schema = z.strictObject(fields).partial()

/** With what only editors read: where the JSON schema of the file lies. */
export const schemaOfFile = schema.extend({ $schema: z.string().optional() })

/** What a `donecheck.config.ts` or `.json` may hold. */
export type DonecheckConfig = Omit<z.input<typeof schemaOfFile>, 'checks'> & {
  readonly checks?: string | readonly CheckInput[]
}
/** The same after reading: a single check has become a list. */
export type Config = z.output<typeof schema>

export const configKeys: readonly string[] = Object.keys(fields)

/** Keys whose values are texts. */
export const textKeys: readonly string[] = Object.entries(fields).flatMap(([key, { def }]) =>
  def.type === 'string' ? [key] : [],
)

/**
 * @param source where it stands, for the message: a file, the environment, the flags
 * @throws {UsageError} naming the key, the value and, for an unknown key, the nearest known one
 */
export function parseConfig(given: unknown, source: string): Config {
  const result = schema.safeParse(withNewNames(given))
  if (result.success) return result.data
  throw new UsageError(
    result.error.issues.map((issue) => `${source}: ${explainIssue(issue, given, schema)}`).join('\n'),
  )
}

/** A run on record may hold a key under the name that it had then. */
function withNewNames(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || !('maxIterations' in given)) return given
  const { maxIterations: maxTurns, ...others } = given
  return { maxTurns, ...others }
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
