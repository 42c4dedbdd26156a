import { z } from 'zod'
import { completeWhenChoices, ruleModes, verifyWhenChoices } from '@donecheck/core/internal/base'
import { capTable, everyCap, isWhole, typedName, type Bound } from '@donecheck/core/internal/budgets'
import {
  loopDetectionOptions,
  stagnationOptions,
  tokenBudgetOptions,
} from '@donecheck/core/internal/events/settings'
import { durationIn } from '@donecheck/engine/internal/system/models'
import { flag } from './flag.ts'

/** @returns milliseconds of `15m`, `1h30m`, `90s`, `90` (seconds) or `off` (0); undefined if invalid */
export function waitingMs(text: string): number | undefined {
  if (text === 'off') return 0
  return /^\d+$/.test(text) ? Number(text) * 1000 : durationIn(text)
}

export function toMilliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.ceil(seconds * 1000)
}

const waitingTime = z
  .string()
  .refine((text) => waitingMs(text) !== undefined, { error: 'must be a time such as 15m, 90s, 6h or off' })
const price = z.strictObject({
  inputPerMillionTokens: z.number().nonnegative(),
  cachedInputPerMillionTokens: z.number().nonnegative().exactOptional(),
  outputPerMillionTokens: z.number().nonnegative(),
})

export const agentKeys = {
  model: flag(
    'agent',
    '-m, --model <provider/name>',
    z.string(),
    'a model drives, with tools of donecheck (openai, anthropic, google)',
  ),
  baseUrl: flag(
    'agent',
    '--base-url <url>',
    z.url(),
    'a server that speaks the OpenAI protocol (Ollama, vLLM, LM Studio, …)',
  ),
  agent: flag(
    'agent',
    '-a, --agent <agent>',
    z.string(),
    'claude, codex, gemini, opencode, qwen or copilot with further words, acp:<command>, or any program: one process a turn; {prompt} or standard input',
  ),
  unchecked: flag(
    'agent',
    '--unchecked',
    z.boolean(),
    'run it although nothing checks its work: the run can end only as unverified',
  ),
  agentTimeoutSeconds: z
    .number()
    .positive()
    .describe('one turn of the agent (default: 600; 1800 for one that is known by name or acp:)'),
  shellTimeoutSeconds: z.number().positive().describe('one shell command of the model (default: 120)'),
  contextWindowTokens: z.number().int().min(2048).describe('of the model'),
  prices: z
    .record(z.string(), price)
    .describe('dollars for a million tokens, by the name of the model that the run shows'),
  waitForProvider: waitingTime.describe(
    'for an overloaded or limited provider, or a network that is gone: 15m (default), 90s, off',
  ),
  waitForLimit: waitingTime.describe('for the reset of a usage limit: 6h (default), off'),
}

export const endKeys = {
  loopDetection: flag(
    'ends',
    '--loop-detection <mode>',
    z.union([z.enum(ruleModes), loopDetectionOptions]),
    'repeated calls, failures and answers (default: on)',
  ),
  stagnation: flag(
    'ends',
    '--stagnation <mode>',
    z.union([z.enum(ruleModes), stagnationOptions]),
    'no progress against the best so far (default: on)',
  ),
  tokenBudget: flag(
    'ends',
    '--token-budget <count>',
    z.union([z.number().int().positive(), tokenBudgetOptions]),
    'output tokens that the agent is kept going for',
  ),
  finalSummary: flag(
    'ends',
    '--final-summary <mode>',
    z.union([z.enum(['on', 'off']), z.boolean()]),
    'a summary of what is left when a run ends early (default: on)',
  ),
  verifyWhen: z
    .enum(verifyWhenChoices)
    .describe('when the checks are run (default: on-change-or-claim); at a cap in any case'),
  verifyAtCap: z.boolean().describe('a last check at a cap (default: true)'),
  completeWhen: z
    .enum(completeWhenChoices)
    .describe('what it takes to be done beside green checks (default: checks)'),
}

interface CapHelp {
  readonly help: string
  readonly hooksHelp?: string
}

const capHelp: Readonly<Record<Bound, CapHelp>> = {
  iterations: { help: 'turns (default: 90)' },
  modelCalls: { help: 'calls of the model; retries count, calls that the provider refused do not' },
  toolCalls: { help: 'over the whole run' },
  tokens: {
    help: 'input and output together (default: ten context windows, 100000 at least)',
    hooksHelp: 'input and output together (which hooks are not told)',
  },
  costUsd: { help: 'at known prices' },
  wallClockMs: {
    help: 'active time (default: 600; 3600 for an agent with tools of its own)',
    hooksHelp: 'active time (default: off)',
  },
  blockedStops: {
    help: 'times in a row that its stop is blocked without a better score than ever (default: off)',
    hooksHelp: 'times in a row that its stop is blocked without a better score than ever (default: 5)',
  },
}

const units: Readonly<Partial<Record<string, string>>> = { time: 'seconds', cost: 'dollars' }

function capKey(bound: Bound) {
  const number = z.number().positive()
  const problem = `must be a positive ${isWhole(bound) ? 'whole number' : 'number'} or off`
  const schema = z.union([isWhole(bound) ? number.int() : number, z.literal('off')], problem)
  const { help, ...more } = capHelp[bound]
  if (bound === 'modelCalls') return schema.describe(help)
  const short = bound === 'iterations' ? '-n, ' : ''
  const unit = units[capTable[bound].kind] ?? 'count'
  return flag('caps', `${short}--max-${typedName(bound)} <${unit}>`, schema, help, more)
}

export const capKeys = {
  ...everyCap('key', capKey),
  maxToolCallsOf: z
    .record(z.string(), z.number().int().positive())
    .describe(
      'calls of single tools, such as { "web_search": 50 }; one more is refused, and the run goes on',
    ),
}

export const recordKeys = {
  tags: flag('record', '--tag <name>', z.array(z.string()), 'tag the run, e.g. nightly (repeatable)', {
    isList: true,
  }),
  store: flag(
    'record',
    '--store <place>',
    z.string(),
    'where runs are kept: a folder, or postgres://… (default: one folder per project)',
  ),
  workdir: flag('record', '-C, --workdir <folder>', z.string(), 'the project (default: the current folder)'),
  memory: flag(
    'record',
    '--memory <which>',
    z.enum(['project', 'user', 'off']),
    'what earlier runs left behind is told to the agent: of this project (default), of all of the user, or nothing',
  ),
  quiet: flag('record', '-q, --quiet', z.boolean(), 'nothing but the closing line'),
  secrets: z.array(z.string()).describe('names of variables whose values are masked in the record'),
  allowConcurrent: z.boolean().describe('another run may work in the folder'),
  needs: z.array(z.string()).describe('with --fleet: labels that the worker must have'),
  priority: z
    .number()
    .int()
    .nonnegative()
    .describe('with --fleet: a higher one goes first among the runs of the tenant (default: 0)'),
  tenant: z
    .string()
    .min(1)
    .describe('with --fleet: who the run is for (default: the ?tenant= of store, or default)'),
  notify: z
    .boolean()
    .describe(
      'tell a person at a terminal of a question that waits, and of the end of a long run (default: true)',
    ),
  notifyCommand: z.string().describe('is told of the same by JSON on its standard input'),
  keptHeartbeat: z.strictObject({
    name: z.string(),
    due: z.array(z.string()).readonly(),
    notDue: z.array(z.string()).readonly(),
  }),
  /** Gives the model the goal tools. */
  keptGoal: z.boolean(),
}
