import { given, UsageError } from '@donecheck/engine/base'
import { judgeChecks, replyVerification } from './judge.ts'
import { capsOfHeartbeat, type AgentLoopOptions, type SoftVerifierOptions, type HardCap, type GuardChoices } from '@donecheck/engine/compose'
import type { Config } from '../../../config/index.ts'
import type { Store } from '@donecheck/engine/ports/store'
import { checkingOptions, checksOf } from '../checks/checks.ts'
import { recipeOf, readBaseline, type Baseline } from '../../settings/recipe.ts'
import { secretsOf } from '../../settings/secrets.ts'
import { bounds, capTable, type Bound } from '@donecheck/core/budgets'
import { tamperRules, type TamperRule } from '@donecheck/engine/tamper'
import type { GuardWaiver } from '@donecheck/engine/workspace'
import { hookCommands } from '../loop/command-hooks.ts'
import type { CheckContext } from './judges.ts'

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
    guard: guardChoices({ config, homeFolder: io.homeFolder, baseline }),
    ...checkingOptions(config, Date.now()),
    hardCap: { ...(config.keptHeartbeat === undefined ? {} : capsOfHeartbeat), ...hardCapOf(config) },
    secrets: secretsOf(io.environment, config.secrets ?? []),
    recipe: recipeOf(config),
    ...completionOf(config),
    ...given({ verifyReplies, verifyWhen: config.verifyWhen, verifyAtCap: config.verifyAtCap }),
    softVerifiers: softVerifiersOf(config),
  } satisfies Omit<AgentLoopOptions, 'drive'>
}

function completionOf({ completeWhen, keptHeartbeat }: Config): Pick<AgentLoopOptions, 'completeWhen'> {
  if (keptHeartbeat !== undefined) return { completeWhen: 'checks-and-claim' }
  return given({ completeWhen })
}

export function softVerifiersOf(config: Config): SoftVerifierOptions {
  const { loopDetection, stagnation, tokenBudget } = config
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

export interface GuardRequest {
  readonly config: Config
  readonly homeFolder: string
  readonly baseline: Baseline
}

/** @returns false if it is off @throws {UsageError} for an unknown rule */
export function guardChoices({ config, homeFolder, baseline }: GuardRequest): GuardChoices | false {
  if (config.tamperGuard === false) return false
  const { onTamper, checkIn, protect, mayChange, heldOutFiles } = config
  return {
    home: homeFolder,
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
