/** The soft tier of a loop: from what its user says to plain settings and the rules that read them. */
import {
  loopDetection,
  loopDetectionSettings,
  loopDetectionShadow,
  ruleModeOf,
  type LoopDetectionOptions,
  type ModeOption,
} from '@donecheck/core/detectors'
import {
  stagnation,
  stagnationSettings,
  stagnationShadow,
  tokenBudget,
  tokenBudgetSettings,
  tokenBudgetShadow,
  type StagnationOptions,
  type TokenBudgetOptions,
} from '@donecheck/core/soft-verifiers'
import type { Rule } from '@donecheck/core/state'
import { UsageError, assertKnownKeys, optionKeys } from '../../../base/index.ts'
import type { DriveDescription, SoftSettings } from '@donecheck/core/settings'
import type { Caps } from '@donecheck/core/budgets'

/** Budgets and patterns that may end a run as not verified. Everything has a default; nothing need be said. */
export interface SoftVerifierOptions {
  /** Tool loops, repeated failures and repeated answers. Default on; `'shadow'` records only, `false` looks at nothing. */
  readonly loopDetection?: LoopDetectionOptions | ModeOption
  /** No progress against the best so far. Default on, with a patience of 8 verifications. */
  readonly stagnation?: StagnationOptions | ModeOption
  /** Output tokens that the drive is kept going for; a number is the budget. Default: none. */
  readonly tokenBudget?: TokenBudgetOptions | number | false
  /** What of a tool's output is compared with earlier ones. Default: all of it, times and other volatile parts masked. */
  readonly normaliseResult?: (tool: string, output: string) => string
  /** Rules of your own. */
  readonly rules?: readonly Rule[]
}

const softKeys = optionKeys<SoftVerifierOptions>()(
  'loopDetection stagnation tokenBudget normaliseResult rules',
)

const stagnationKeys = optionKeys<StagnationOptions>()(
  'mode patienceVerifications changesPerClaim epsilonScore',
)

/** @throws {UsageError} naming the option, its value and the way out, also for one that could never fire */
export function softSettingsOf(
  options: SoftVerifierOptions,
  caps: Caps,
  drive: DriveDescription,
): SoftSettings {
  assertKnownKeys(options, softKeys, 'softVerifiers')
  return {
    loopDetection: settingsOf(loopDetectionSettings(choice(options.loopDetection)), 'loopDetection'),
    stagnation: settingsOf(stagnationSettings(stagnationChoice(options.stagnation)), 'stagnation'),
    tokenBudget: tokenBudgetOf(options.tokenBudget, caps, drive),
  }
}

/** All rules of the tier; those that are off are told so by the settings and say nothing. */
export function softRulesOf({ rules = [] }: SoftVerifierOptions): readonly Rule[] {
  return [
    loopDetection,
    loopDetectionShadow,
    stagnation,
    stagnationShadow,
    tokenBudget,
    tokenBudgetShadow,
    ...rules,
  ]
}

type Reading<Settings> =
  | { readonly kind: 'settings'; readonly settings: Settings }
  | { readonly kind: 'refused'; readonly problem: string }

function settingsOf<Settings>(reading: Reading<Settings>, name: string): Settings {
  if (reading.kind === 'settings') return reading.settings
  const { problem } = reading
  throw new UsageError(`softVerifiers.${problem.startsWith(name) ? '' : `${name}: `}${problem}`)
}

function choice<Options extends object>(said: Options | ModeOption | undefined) {
  return typeof said === 'object' ? said : { mode: said ?? true }
}

function stagnationChoice(said: SoftVerifierOptions['stagnation']): StagnationOptions {
  if (typeof said !== 'object') return { mode: ruleModeOf(said ?? true) }
  assertKnownKeys(said, stagnationKeys, 'softVerifiers.stagnation')
  return said
}

function tokenBudgetOf(
  said: SoftVerifierOptions['tokenBudget'],
  caps: Caps,
  { name, reportsUsage }: DriveDescription,
): SoftSettings['tokenBudget'] {
  if (said === undefined || said === false) return null
  const options = typeof said === 'number' ? { budgetTokens: said } : said
  const settings = settingsOf(tokenBudgetSettings(options, caps), 'tokenBudget')
  if (reportsUsage) return settings
  throw new UsageError(
    `softVerifiers.tokenBudget can never be used up: ${name} does not report its tokens; leave it out`,
  )
}
