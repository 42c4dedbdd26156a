import { given, UsageError } from '@donecheck/engine/internal/base'
import { judgeChecks, replyVerification } from './judge.ts'
import {
  capsOfHeartbeat,
  type AgentLoopOptions,
  type SoftVerifierOptions,
  type HardCap,
  type GuardChoices,
  type TopUp,
} from '@donecheck/engine/internal/loop/compose'
import type { Config } from '../../../config/index.ts'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { recipeOf, readBaseline, type Baseline } from '../../settings/recipe.ts'
import {
  bounds,
  capTable,
  type Bound,
  amounts,
  isWhole,
  typedName,
  type Amount,
} from '@donecheck/core/internal/budgets'
import { tamperRules, type TamperRule } from '@donecheck/engine/internal/analysis/tamper'
import type { GuardWaiver } from '@donecheck/engine/internal/checks/workspace'
import type { CheckContext } from './judges.ts'
import { InvalidArgumentError } from 'commander'
import { nearest } from '@donecheck/core/internal/base'
import { checkingOptions, checksOf } from '../checks.ts'
import { hookCommands } from '../gate/gate.ts'
import { positive, positiveWhole } from '../../options/option.ts'
import { secretsOf } from '../../settings/secrets.ts'

export interface JudgingRequest extends CheckContext {
  readonly store: Store
}

/** @param delivers false for a host that delivers replies itself: then a judge is always a check */
export async function judgedOptions(request: JudgingRequest, delivers: boolean) {
  const { config, workFolder, store, io } = request
  const baseline = await readBaseline(config.baseline, store)
  const checks = await checksOf(request)
  const judges = await judgeChecks({ ...request, reads: 'answer' })
  const verifyReplies = delivers ? replyVerification(config, judges) : undefined
  return {
    workFolder,
    store,
    hardVerifiers: verifyReplies === undefined ? [...checks, ...judges] : checks,
    guard: guardChoices(config, io.homeFolder, baseline),
    ...checkingOptions(config, Date.now()),
    hardCap: { ...(config.keptHeartbeat === undefined ? {} : capsOfHeartbeat), ...hardCapOf(config) },
    secrets: secretsOf(io.environment, config.secrets ?? []),
    recipe: recipeOf(config),
    ...given({
      ...{ verifyReplies, verifyWhen: config.verifyWhen, verifyAtCap: config.verifyAtCap },
      completeWhen: config.keptHeartbeat === undefined ? config.completeWhen : 'checks-and-claim',
    }),
    softVerifiers: softVerifiersOf(config),
  } satisfies Omit<AgentLoopOptions, 'agent'>
}

export function softVerifiersOf({ loopDetection, stagnation, tokenBudget }: Config): SoftVerifierOptions {
  return given({ loopDetection, stagnation, tokenBudget })
}

export function hardCapOf(config: Config): HardCap {
  const named = bounds.filter((bound) => config[capTable[bound].key] !== undefined)
  return {
    ...Object.fromEntries(named.map((bound) => [bound, valueOf(config, bound)])),
    ...given({ callsPerTool: config.maxToolCallsOf }),
  }
}

/** Configured in seconds. */
function valueOf(config: Config, bound: Bound): number | null | undefined {
  const { key, kind } = capTable[bound]
  const value = config[key]
  if (value === 'off') return null
  return kind === 'time' && value !== undefined ? value * 1000 : value
}

/** @returns false if it is off @throws {UsageError} for an unknown rule */
export function guardChoices(config: Config, home: string, baseline: Baseline): GuardChoices | false {
  if (config.tamperGuard === false) return false
  const { onTamper, checkIn, protect, mayChange, heldOutFiles } = config
  return {
    home,
    checkCommands: [
      ...[...(config.until ?? []), ...(config.heldOut ?? [])].map(({ command }) => command),
      ...hookCommands(config),
    ],
    waivers: waiversOf(config),
    ...given({ onTamper, checkIn, protect, mayChange, heldOutFiles }),
    ...(baseline.kind === 'revision' ? { baseline: baseline.revision } : {}),
    ...(baseline.kind === 'recorded' ? { snapshotRunId: baseline.runId } : {}),
  }
}

function waiversOf({ waive = [] }: Config): readonly GuardWaiver[] {
  return waive.flatMap((waiver): readonly GuardWaiver[] => {
    if ('check' in waiver) return []
    return ['rule' in waiver ? { ...waiver, rule: ruleOf(waiver.rule) } : waiver]
  })
}

function ruleOf(name: string): TamperRule {
  const rule = tamperRules.find((known) => known === name)
  if (rule !== undefined) return rule
  throw new UsageError(`waive: there is no rule "${name}"; the rules are ${tamperRules.join(', ')}`)
}

const toolPrefix = 'tool-calls-of:'

export function topUpOfFlags(texts: readonly string[]): TopUp {
  return texts.reduce<TopUp>((before, text) => {
    try {
      return topUpOf(text, before)
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error
      throw new UsageError(`option '--top-up <amounts>' argument '${text}' is invalid. ${error.message}`)
    }
  }, {})
}

export function topUpOf(text: string, before: TopUp = {}): TopUp {
  return text.split(',').reduce<TopUp>((topUp, part) => withPart(topUp, part.trim()), before)
}

function withPart(topUp: TopUp, part: string): TopUp {
  const [, name, amount] = /^(.+)=([^=]*)$/.exec(part) ?? []
  if (name === undefined || amount === undefined)
    throw new InvalidArgumentError(`"${part}" is not of the form name=amount.`)
  if (name.startsWith(toolPrefix)) {
    const tool = name.slice(toolPrefix.length)
    return { ...topUp, callsPerTool: { ...topUp.callsPerTool, [tool]: positiveWhole(amount) } }
  }
  return { ...topUp, ...amountOf(nameOf(name), amount) }
}

function nameOf(name: string): Amount {
  // Programs may also use internal names such as `iterations`.
  const known = amounts.find((amount) => typedName(amount) === name || amount === name)
  if (known !== undefined) return known
  const names = amounts.map(typedName)
  const near = nearest(name, names)
  const hint = near === undefined ? `known names: ${names.join(', ')}.` : `did you mean "${near}"?`
  throw new InvalidArgumentError(`nothing is called "${name}"; ${hint}`)
}

function amountOf(name: Amount, text: string): TopUp {
  if (isWhole(name)) return { [name]: positiveWhole(text) }
  return { [name]: positive(text) * (capTable[name].kind === 'time' ? 1000 : 1) }
}
