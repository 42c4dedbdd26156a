/** What can be configured: one shape for file, environment and flags. */
import { z } from 'zod'
import { explainIssue, UsageError, given } from '@donecheck/engine/base'
import {
  completeWhenChoices,
  ruleModes,
  verifyWhenChoices,
  askChoices,
  sandboxChoices,
  undecidedChoices,
} from '@donecheck/core/base'
import { everyCap, isWhole } from '@donecheck/core/budgets'
import { loopDetectionOptions, stagnationOptions, tokenBudgetOptions } from '@donecheck/core/settings'
import { type CheckInput, checkSpec } from './checks/spec.ts'
import { durationIn } from '@donecheck/engine/models'
import { hookPoints, type HookPoint } from '@donecheck/core/gate'
import { approvalPolicies } from '@donecheck/engine/ports/gate'

/** @returns milliseconds of `15m`, `1h30m`, `90s`, `90` (seconds) or `off` (0); undefined for any other text */
export function waitingMs(text: string): number | undefined {
  if (text === 'off') return 0
  return /^\d+$/.test(text) ? Number(text) * 1000 : durationIn(text)
}

const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'the last day as YYYY-MM-DD is wanted')
  .refine((text) => !Number.isNaN(Date.parse(text)), 'there is no such day')
const said = z.string().trim().min(1, 'it must be said, for the record')
const waiver = { by: said, until: day, reason: said }
const share = z.number().min(0).max(1)

/** A command with more to say than its line. */
const check = z.strictObject({
  command: z.string(),
  name: z.string().exactOptional(),
  /** Default true: its verdict decides. */
  required: z.boolean().exactOptional(),
  weight: z.number().nonnegative().exactOptional(),
  timeoutSeconds: z.number().positive().exactOptional(),
  /** Further tries after a failure, to see whether it is flaky. */
  retryFailures: z.number().int().nonnegative().exactOptional(),
  /** Nothing else is checked meanwhile. */
  exclusive: z.boolean().exactOptional(),
  /** Globs: its verdict depends on no other file, so that it is taken again while these stay as they are. */
  inputs: z.array(z.string()).exactOptional(),
})

const line = z.string().transform((command): CheckConfig => ({ command }))
const checks = z.union([line.transform((one) => [one]), z.array(z.union([line, check]))])

/** One that stands alone is a list of it. */
export function listOf(given: unknown): unknown {
  return typeof given === 'string' ? [given] : given
}

const checkFields = {
  /** Commands that must exit with 0. */
  until: checks,
  /** Checks of the project's own, found by its files. */
  presets: z.preprocess(listOf, z.array(z.enum(['tests', 'lint', 'typecheck', 'build']))),
  /** Checks that are no command: `KIND:TEXT`, or options with their `kind`. */
  checks: z.preprocess(listOf, z.array(checkSpec)),
  /** Commands that the agent is never shown; they run at the end only. */
  heldOut: checks,
  /** A folder outside of the project that is laid over a clean copy of it for the held-out checks. */
  heldOutFiles: z.string(),
  policy: z.union([
    z.enum(['deterministic-veto', 'all-required']),
    z.strictObject({
      weightedScore: z.strictObject({
        threshold: share,
        weights: z.record(z.string(), z.number()).exactOptional(),
      }),
    }),
    z.strictObject({ quorum: z.strictObject({ atLeast: z.number().int().positive() }) }),
  ]),
  /** Run the checks on the baseline's check side too, where that was changed. Default true. */
  tamperGuard: z.boolean(),
  /** Globs of further files that the agent may not change. */
  protect: z.array(z.string()),
  /** Globs of tests and the like that this task may change. */
  mayChange: z.array(z.string()),
  /** What becomes of work that is green only with changed checks: ask for authority (default), or end the run. */
  onTamper: z.enum(['ask', 'refuse']),
  waive: z.array(
    z.union([
      z.strictObject({ check: said, ...waiver }),
      z.strictObject({ rule: said, path: z.string().exactOptional(), ...waiver }),
      z.strictObject({ path: said, ...waiver }),
    ]),
  ),
  /** Checks that may be flaky meanwhile. */
  quarantine: z.array(z.strictObject({ check: said, ...waiver })),
  /** Checks that are believed although nothing shows that they can fail. */
  trustChecks: z.array(
    z.union([
      said.transform((check) => ({ check, by: 'whoever configured it' })),
      z.strictObject({ check: said, by: said }),
    ]),
  ),
  /** Where checks decide. Default: in a clean room, if they report the same there before the first turn. */
  checkIn: z.enum(['work-folder', 'clean-room']),
  /** A git revision, or a recorded baseline: what the work is compared with. */
  baseline: z.string(),
  preExisting: z.enum(['mend', 'not-worse']),
  retryFailures: z.number().int().nonnegative(),
  parallelChecks: z.number().int().positive(),
  /** Break the other checks off at the first failure that decides. Default false. */
  failFast: z.boolean(),
}

export type CheckConfig = z.output<typeof check>

const granular = z.strictObject({
  granular: z.strictObject({
    rules: z.boolean(),
    sandbox_approval: z.boolean(),
    undecidable: z.boolean(),
    changes: z.boolean(),
  }),
})

const gateFields = {
  /** Files or folders of rules (`*.rules`), relative to where the command is called. */
  rules: z.preprocess(listOf, z.array(z.string())),
  /** Text of the files of `rules` by path, as they were at the start; kept with the run. */
  keptRules: z.record(z.string(), z.string()),
  /** Rules as the functions of `@donecheck/engine/gate` take them; looked at where the gate is made. */
  commandRules: z.array(z.json()),
  /** The same of a configuration in the work folder: rules of the project. Kept with the run. */
  projectCommandRules: z.array(z.json()),
  /** Rules in `.donecheck/rules` of the work folder. Default `tighten`: those that forbid or ask hold, those that allow do not. */
  projectRules: z.enum(['trusted', 'tighten', 'off']),
  /** Text of the project's rule files by path, as they were at the start; kept with the run. */
  keptProjectRules: z.record(z.string(), z.string()),
  /** Command lines of the checks, as they were found at the start; kept with the run. */
  keptCheckLines: z.array(z.string()),
  approval: z.union([z.enum(approvalPolicies), granular]),
  /** Who is asked: a person at the terminal (default), or whoever answers by the page or a command, for which the run waits. */
  ask: z.enum(askChoices),
  /** `shadow`: what the gate would have refused or asked is recorded, and done. Default `on`. */
  gate: z.enum(['on', 'shadow']),
  /** Default `auto`: the first that works here; none where none does, which is said. */
  sandbox: z.enum(sandboxChoices),
  /** Commands in the sandbox may reach the network. Default false. */
  allowNetwork: z.boolean(),
  /** Folders that commands in the sandbox may write besides the work folder. */
  writable: z.array(z.string()),
  yes: z.boolean(),
  /** Every hook and every decision of the gate is shown while the run goes on. */
  trace: z.boolean(),
}

const command = z.string().trim().min(1, 'a command is wanted')

const hook = z.strictObject({
  command,
  /** Stands in every refusal and in the trace. Default: the command. */
  name: z.string().exactOptional(),
  /** Names or patterns of the tools, or of the verifiers, that it is for. Default: all. */
  match: z.union([z.string(), z.array(z.string()).min(1)]).exactOptional(),
  /** Default 30. */
  timeoutSeconds: z.number().positive().exactOptional(),
  /** Lower is earlier. Default 100. */
  priority: z.number().exactOptional(),
  /** What a command means that crashes, hangs or answers nonsense. Default: a refusal, where something can be refused. */
  onFailure: z.enum(['open', 'closed']).exactOptional(),
  /** `shadow`: what it would have done is noted and not done. Default `on`. */
  mode: z.enum(['on', 'shadow']).exactOptional(),
})

type HookConfig = z.output<typeof hook>

const one = z.union([command.transform((line): HookConfig => ({ command: line })), hook])
const atPoint = z.union([one.transform((single) => [single]), z.array(one)])

/** A point that there is not is refused with the nearest, as any key is. */
const hookFields = {
  hooks: z
    .strictObject(
      Object.fromEntries(hookPoints.map((point) => [point, atPoint])) as Record<HookPoint, typeof atPoint>,
    )
    .partial(),
  /** SHA-256 of their scripts by path, as they were at the start; kept with the run. */
  keptHookScripts: z.record(z.string(), z.string()),
}

const text = z.string().trim().min(1)
const whole = z.number().int().positive()
const models = z.union([text.transform((one) => [one]), z.array(text).min(1)])

const judge = z.strictObject({
  /** `provider/model`; several are a panel. */
  models,
  /** A server that speaks the OpenAI protocol. */
  baseUrl: z.url().exactOptional(),
  /** How many of a panel must be content. Default: more than half. */
  atLeast: whole.exactOptional(),
  /** Faults that a failure may name beside the usual ones. */
  categories: z.array(text).exactOptional(),
  /** Files whose text is shown as rules. Default: AGENTS.md, SOUL.md, CLAUDE.md. */
  rules: z.array(text).exactOptional(),
  timeoutSeconds: z.number().positive().exactOptional(),
  /** Of all judges in one run. */
  maxTokens: whole.exactOptional(),
  /** Shuffles what a judge is offered, and the order of a panel. */
  seed: z.number().int().nonnegative().exactOptional(),
})

const words = z.array(z.string().trim().min(1)).min(1)

const replies = z.strictObject({
  /** Every reply, whatever it says. */
  all: z.boolean().exactOptional(),
  /** What a heartbeat reports, too. Default false. */
  heartbeat: z.boolean().exactOptional(),
  /** Words with which a reply claims something. */
  keywords: words.exactOptional(),
  /** Words that turn a keyword after them into its opposite. */
  negations: z.array(z.string()).exactOptional(),
  /** The first one included. */
  maxAttempts: z.number().int().min(1).max(10).exactOptional(),
  onUndecided: z.enum(undecidedChoices).exactOptional(),
  /** Tools that send to whom the reply is for. */
  messagingTools: z.array(z.string()).exactOptional(),
  /** An `openclaw.json` whose `verifier` says the rest, and of which of its agents. */
  openclaw: z.string().exactOptional(),
  agent: z.string().exactOptional(),
})

const judgeFields = {
  judge: z.union([models.transform((given): JudgeConfig => ({ models: given })), judge]),
  /** What must be fulfilled: a text, or a file that holds it. */
  rubric: text,
  /** Of all judges in one run. Null: no bound. */
  maxJudgeCostUsd: z.number().positive().nullable(),
  /** What judges are shown as rules of the project, as it was at the start; kept with the run. */
  keptJudgeRules: z.array(z.strictObject({ name: z.string(), text: z.string() })),
  /** How replies are verified before they are delivered, and what of it another program has written down. */
  verifyReplies: z.union([z.boolean().transform((on): ReplyConfig | false => on && {}), replies]),
}

export type JudgeConfig = z.output<typeof judge>

export type ReplyConfig = z.output<typeof replies>

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
type DonecheckConfig = Omit<z.input<typeof schemaOfFile>, 'checks'> & {
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
