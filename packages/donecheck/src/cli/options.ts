import { Option, type Command } from 'commander'
import { addCheckOptions, addMayChangeOption, addStoreOption } from './check-options.ts'
import { addGateOptions, addPermissionOptions } from './gate-options.ts'
import {
  collect,
  countOfName,
  positive,
  positiveOrNone,
  positiveWhole,
  positiveWholeOrNone,
  whole,
} from './flag-values.ts'
import type { DonecheckConfig } from '../config/index.ts'

type Cap =
  | 'maxIterations'
  | 'maxModelCalls'
  | 'maxToolCalls'
  | 'maxTokens'
  | 'maxUncachedInputTokens'
  | 'maxCachedInputTokens'
  | 'maxTotalOutputTokens'
  | 'maxReasoningTokens'
  | 'maxCostUsd'
  | 'maxSeconds'
  | 'maxWorkingSeconds'
  | 'maxSendBacks'

type CapFlags = Readonly<Partial<Record<Cap, number | 'none'>>>

/** Flags as commander gives them. */
export interface RunFlags
  extends
    CapFlags,
    Omit<
      DonecheckConfig,
      | 'until'
      | 'heldOut'
      | 'presets'
      | 'trustChecks'
      | 'checkIn'
      | 'flakyChecks'
      | 'parallelChecks'
      | 'agentTimeoutSeconds'
      | 'shellTimeoutSeconds'
      | 'verifyTimeoutSeconds'
      | 'contextWindowTokens'
      | Cap
    > {
  readonly until?: string[]
  readonly heldOut?: string[]
  readonly preset?: string[]
  readonly trustCheck?: string[]
  readonly cleanCopy?: boolean
  readonly flaky?: string
  readonly parallel?: number
  readonly agentTimeout?: number
  readonly shellTimeout?: number
  readonly verifyTimeout?: number
  readonly contextWindow?: number
  readonly config?: string
  /** Of resume alone. */
  readonly topUp?: readonly string[]
}

/** Flags that are called otherwise in the configuration, where a unit stands in the name. */
const longNames: Readonly<Record<string, string>> = {
  agentTimeout: 'agentTimeoutSeconds',
  shellTimeout: 'shellTimeoutSeconds',
  verifyTimeout: 'verifyTimeoutSeconds',
  contextWindow: 'contextWindowTokens',
  preset: 'presets',
  trustCheck: 'trustChecks',
  flaky: 'flakyChecks',
  parallel: 'parallelChecks',
}

/** What was typed, under the keys of the configuration and still to be parsed. What was not typed is not there. */
export function configFromFlags(flags: RunFlags): Readonly<Record<string, unknown>> {
  const typed = Object.entries(flags).filter(([flag, value]) => !isUntyped(flag, value))
  return Object.fromEntries(
    typed.map(([flag, value]) => {
      if (flag === 'cleanCopy') return ['checkIn', 'clean-copy']
      return [longNames[flag] ?? flag, flag.startsWith('max') && value === 'none' ? null : value]
    }),
  )
}

/** Flags of a command alone, which configure nothing. */
const ofCommands = ['goal', 'topUp', 'config', 'json', 'junit', 'sarif', 'github', 'watch', 'receipt', 'at']

/** Of these only the `--no-` form can be typed: the parser gives true for its absence, which says nothing. */
const onlyNegative = ['verifyAtCap', 'tamperGuard', 'wrapUp']

function isUntyped(flag: string, value: unknown): boolean {
  return value === undefined || ofCommands.includes(flag) || (onlyNegative.includes(flag) && value === true)
}

export { addStoreOption }

export interface StoreFlags {
  readonly store?: string
  readonly workdir?: string
  readonly json?: boolean
}

export function addRunOptions(command: Command): Command {
  addDriveOptions(command)
  addRunCheckOptions(command)
  addCapOptions(command)
  return addCommonOptions(command)
}

/** What the record cannot know or need not fix: everything else stays as the run was started. */
export function addResumeOptions(command: Command): Command {
  command.option(
    '--top-up <amounts>',
    'more budget, such as iterations=10,tokens=50000 (the names of the --max- flags); a run that ended at a cap goes on',
    // Read by the command itself: what it takes to read it would hold up every other command.
    collect,
  )
  addPermissionOptions(command)
  addMayChangeOption(command)
  return addCommonOptions(command)
}

function addCommonOptions(command: Command): Command {
  addStoreOption(command)
  return command
    .option('--allow-concurrent', 'even if another run works in the same folder')
    .option('--config <file>', 'instead of donecheck.config.ts, .js or .json in the work folder')
    .addOption(
      new Option('--output-format <format>', 'what is written').choices(['text', 'json', 'stream-json']),
    )
}

function addDriveOptions(command: Command): void {
  command
    .option('--model <provider/name>', 'a model drives, with tools of donecheck (openai, anthropic, google)')
    .option('--base-url <url>', 'a server that speaks the OpenAI protocol (Ollama, vLLM, LM Studio, …)')
    .option(
      '--agent <agent>',
      'claude, codex, gemini or opencode with further words, acp:<command>, or any program: one process a turn; {prompt} or standard input',
    )
    .option(
      '--agent-timeout <seconds>',
      'for one turn of the agent (default 600; 1800 for claude, codex, gemini, opencode and acp:)',
      positive,
    )
    .option('--shell-timeout <seconds>', 'for one shell command of the model (default 120)', positive)
    .option('--context-window <tokens>', 'of the model', positiveWhole)
    .option('--max-output-tokens <count>', 'of one reply', positiveWhole)
  addPermissionOptions(command)
  addGateOptions(command)
}

/** What a rule of the soft tier may do: act, only record, or nothing. */
const modes = ['on', 'shadow', 'off']

/** When the checks of a run are asked, and what ends it. */
export function addRunCheckOptions(command: Command): void {
  addCheckOptions(command)
    .addOption(
      new Option(
        '--verify-when <when>',
        'when the checks run (default: on change or claim, and at a cap)',
      ).choices(['every-turn', 'on-change', 'on-claim', 'on-change-or-claim']),
    )
    .option('--no-verify-at-cap', 'no last check when a cap is reached')
    .addOption(
      new Option('--loop-detection <mode>', 'repeated calls, failures and answers (default on)').choices(
        modes,
      ),
    )
    .addOption(
      new Option('--stagnation <mode>', 'no progress against the best so far (default on)').choices(modes),
    )
    .option('--token-budget <count>', 'output tokens that the drive is kept going for', positiveWhole)
    .option('--no-wrap-up', 'no summary of what is left when a run ends early')
    .addOption(
      new Option('--complete-when <what>', 'what ends the run as verified (default checks)').choices([
        'checks',
        'checks-and-claim',
      ]),
    )
}

/** What holds where a cap is not named, for people. */
interface CapDefaults {
  readonly tokens: string
  readonly seconds: string
  readonly sendBacks: string
}

const defaultsOfRun: CapDefaults = {
  tokens: 'default 100000',
  seconds: 'default 600; 3600 for an agent with tools of its own',
  sendBacks: 'default none',
}

/** A session of an agent lasts as long as its user likes. */
export const capDefaultsOfHooks: CapDefaults = {
  tokens: 'which hooks are not told',
  seconds: 'default none',
  sendBacks: 'default 5',
}

export function addCapOptions(command: Command, defaults = defaultsOfRun): void {
  command
    .option('--max-iterations <count>', 'turns (default 90; none switches it off)', positiveWholeOrNone)
    .option('--max-model-calls <count>', 'retries count', positiveWholeOrNone)
    .option('--max-tool-calls <count>', 'over the whole run', positiveWholeOrNone)
    .option(
      '--max-tool-calls-of <tool=count>',
      'of one tool; the run goes on without it; repeatable',
      countOfName,
    )
    .option('--max-tokens <count>', `input and output together (${defaults.tokens})`, positiveWholeOrNone)
    .option('--max-uncached-input-tokens <count>', 'not from the cache of the provider', positiveWholeOrNone)
    .option('--max-cached-input-tokens <count>', 'from the cache of the provider', positiveWholeOrNone)
    .option('--max-total-output-tokens <count>', 'of all replies, thoughts included', positiveWholeOrNone)
    .option('--max-reasoning-tokens <count>', 'thoughts', positiveWholeOrNone)
    .option('--max-cost-usd <dollars>', 'at known prices', positiveOrNone)
    .option('--max-seconds <seconds>', `active time (${defaults.seconds})`, positiveOrNone)
    .option('--max-working-seconds <seconds>', 'in model calls, tools and checks; no waiting', positiveOrNone)
    .option(
      '--max-send-backs <count>',
      `times in a row that it is sent back without a better score than ever (${defaults.sendBacks})`,
      positiveWholeOrNone,
    )
    .option('--max-refunds <count>', 'model calls given back that never left (default 3)', whole)
}
