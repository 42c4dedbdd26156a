import { InvalidArgumentError, Option, type Command } from 'commander'
import type { DonecheckConfig } from '../config/index.ts'

type Cap = 'maxIterations' | 'maxModelCalls' | 'maxToolCalls' | 'maxTokens' | 'maxCostUsd' | 'maxSeconds'

type CapFlags = Readonly<Partial<Record<Cap, number | 'none'>>>

/** Flags as commander gives them. */
export interface RunFlags
  extends
    CapFlags,
    Omit<
      DonecheckConfig,
      | 'until'
      | 'agentTimeoutSeconds'
      | 'shellTimeoutSeconds'
      | 'verifyTimeoutSeconds'
      | 'contextWindowTokens'
      | Cap
    > {
  readonly until?: string[]
  readonly agentTimeout?: number
  readonly shellTimeout?: number
  readonly verifyTimeout?: number
  readonly contextWindow?: number
  readonly config?: string
}

/** Flags that are called otherwise in the configuration, where a unit stands in the name. */
const longNames: Readonly<Record<string, string>> = {
  agentTimeout: 'agentTimeoutSeconds',
  shellTimeout: 'shellTimeoutSeconds',
  verifyTimeout: 'verifyTimeoutSeconds',
  contextWindow: 'contextWindowTokens',
}

/** What was typed, under the keys of the configuration and still to be parsed. What was not typed is not there. */
export function configFromFlags(flags: RunFlags): Readonly<Record<string, unknown>> {
  const typed = Object.entries(flags).filter(([flag, value]) => flag !== 'config' && !isUntyped(flag, value))
  return Object.fromEntries(
    typed.map(([flag, value]) => [
      longNames[flag] ?? flag,
      flag.startsWith('max') && value === 'none' ? null : value,
    ]),
  )
}

/** Only `--no-verify-at-cap` can be typed: the parser gives true for its absence, which says nothing. */
function isUntyped(flag: string, value: unknown): boolean {
  return value === undefined || (flag === 'verifyAtCap' && value === true)
}

export interface StoreFlags {
  readonly store?: string
  readonly workdir?: string
  readonly json?: boolean
}

export function addStoreOption(command: Command): Command {
  return command
    .option(
      '--store <folder>',
      'where runs are kept (default: the state folder of the user, one per project)',
    )
    .option('--workdir <folder>', 'the project (default: the current folder)')
}

export function addRunOptions(command: Command): Command {
  addDriveOptions(command)
  addCheckOptions(command)
  addCapOptions(command)
  return addCommonOptions(command)
}

/** What the record cannot know or need not fix: everything else stays as the run was started. */
export function addResumeOptions(command: Command): Command {
  addPermissionOptions(command)
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
    .option('--agent <command>', 'an agent program drives, one process a turn; {prompt} or standard input')
    .option('--agent-timeout <seconds>', 'for one turn of the agent program (default 600)', positive)
    .option('--shell-timeout <seconds>', 'for one shell command of the model (default 120)', positive)
    .option('--context-window <tokens>', 'of the model', positiveWhole)
    .option('--max-output-tokens <count>', 'of one reply', positiveWhole)
  addPermissionOptions(command)
}

function addPermissionOptions(command: Command): void {
  command
    .option('--yes', 'accept every write and every shell command of the model')
    .addOption(
      new Option('--approval <when>', 'when you are asked before a tool runs (default writes)').choices([
        'never',
        'writes',
        'all',
      ]),
    )
}

function addCheckOptions(command: Command): void {
  command
    .option('--until <command>', 'must exit with 0; may be given several times', collect)
    .option('--verify-timeout <seconds>', 'for one check (default 300)', positive)
    .addOption(
      new Option(
        '--verify-when <when>',
        'when the checks run (default: on change or claim, and at a cap)',
      ).choices(['every-turn', 'on-change', 'on-claim', 'on-change-or-claim']),
    )
    .option('--no-verify-at-cap', 'no last check when a cap is reached')
    .addOption(
      new Option('--complete-when <what>', 'what ends the run as verified (default checks)').choices([
        'checks',
        'checks-and-claim',
      ]),
    )
}

function addCapOptions(command: Command): void {
  command
    .option('--max-iterations <count>', 'turns (default 30; none switches it off)', positiveWholeOrNone)
    .option('--max-model-calls <count>', 'retries count', positiveWholeOrNone)
    .option('--max-tool-calls <count>', 'over the whole run', positiveWholeOrNone)
    .option('--max-tokens <count>', 'input and output together (default 100000)', positiveWholeOrNone)
    .option('--max-cost-usd <dollars>', 'at known prices', positiveOrNone)
    .option('--max-seconds <seconds>', 'active time (default 600)', positiveOrNone)
}

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value]
}

function positive(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError(`"${text}" is not a positive number.`)
  return value
}

function positiveWhole(text: string): number {
  const value = positive(text)
  if (!Number.isInteger(value)) throw new InvalidArgumentError(`"${text}" is not a whole number.`)
  return value
}

function positiveOrNone(text: string): number | 'none' {
  return text === 'none' ? text : positive(text)
}

function positiveWholeOrNone(text: string): number | 'none' {
  return text === 'none' ? text : positiveWhole(text)
}
