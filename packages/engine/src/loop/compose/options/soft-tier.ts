import {
  loopDetection,
  loopDetectionShadow,
  problemOfThresholds,
} from '@donecheck/core/internal/rules/detectors'
import { problemOfTokenBudget, stagnation, tokenBudget } from '@donecheck/core/internal/rules/soft-verifiers'
import {
  loopDetectionOptions,
  stagnationOptions,
  standardLoopDetection,
  standardStagnation,
  standardTokenBudget,
  tokenBudgetOptions,
  type AgentDescription,
  type LoopDetectionOptions,
  type SoftSettings,
  type StagnationOptions,
  type TokenBudgetOptions,
} from '@donecheck/core/internal/events/settings'
import type { Caps } from '@donecheck/core/internal/budgets'
import type { RuleMode } from '@donecheck/core/internal/base'
import type { Rule } from '@donecheck/core/internal/state'
import type { z } from 'zod'
import { UsageError, assertShape, given } from '../../../base/index.ts'

/** `true` is `on`, `false` is `off`; `shadow` only records. */
type ModeOption = RuleMode | boolean

/** Limits and patterns that may end a run as not verified. All have defaults. */
export interface SoftVerifierOptions {
  /** Tool loops, repeated failures and repeated answers. Default: on. */
  readonly loopDetection?: LoopDetectionOptions | ModeOption
  /** No progress against the best result so far. Default: on, with a patience of 8 verifications. */
  readonly stagnation?: StagnationOptions | ModeOption
  /** Output tokens for which the agent is kept working; a number is the budget. Default: none. */
  readonly tokenBudget?: TokenBudgetOptions | number | false
  readonly rules?: readonly Rule[]
}

/** @throws {UsageError} naming the option, its value and what to type, also for one that could never apply */
export function softSettingsOf(
  options: SoftVerifierOptions,
  caps: Caps,
  agent: AgentDescription,
): SoftSettings {
  const stagnationChoice = parse(stagnationOptions, withMode(options.stagnation), 'stagnation')
  return {
    loopDetection: parseLoopDetection(options.loopDetection),
    stagnation: { ...standardStagnation, ...given(stagnationChoice) },
    tokenBudget: tokenBudgetOf(options.tokenBudget, caps, agent),
  }
}

/** Includes rules that are off; the settings keep them silent. */
export function softRulesOf({ rules = [] }: SoftVerifierOptions): readonly Rule[] {
  return [loopDetection, loopDetectionShadow, stagnation, tokenBudget, ...rules]
}

function parse<Schema extends z.ZodType>(schema: Schema, options: unknown, name: string): z.output<Schema> {
  assertShape(schema, options, `softVerifiers.${name}`)
  return schema.parse(options)
}

function withMode<Options extends object>(choice: Options | ModeOption = true) {
  if (typeof choice === 'boolean') return { mode: choice ? 'on' : 'off' }
  return typeof choice === 'string' ? { mode: choice } : choice
}

function parseLoopDetection(choice: SoftVerifierOptions['loopDetection']): SoftSettings['loopDetection'] {
  const options = parse(loopDetectionOptions, withMode(choice), 'loopDetection')
  const settings = { ...standardLoopDetection, ...given(options) }
  const problem = problemOfThresholds(settings)
  if (problem === undefined) return settings
  throw new UsageError(`softVerifiers.loopDetection: ${problem}`)
}

function tokenBudgetOf(
  choice: SoftVerifierOptions['tokenBudget'],
  caps: Caps,
  { name, reportsUsage }: AgentDescription,
): SoftSettings['tokenBudget'] {
  if (choice === undefined || choice === false) return null
  const options = typeof choice === 'number' ? { budgetTokens: choice } : choice
  const { budgetTokens, ...others } = parse(tokenBudgetOptions, options, 'tokenBudget')
  const settings = { ...standardTokenBudget, ...given(others), budgetTokens }
  const unused = `${name} does not report its tokens, so no budget is ever used up; leave it out`
  const problem = problemOfTokenBudget(settings, caps) ?? (reportsUsage ? undefined : unused)
  if (problem === undefined) return settings
  throw new UsageError(`softVerifiers.tokenBudget: ${problem}`)
}
