/** From the configuration to what judges a run, whoever drives it: checks, guard, caps, soft tier. */
import type { AgentLoopOptions } from '../compose.ts'
import type { Config } from '../config/index.ts'
import type { Store } from '../ports.ts'
import type { SoftVerifierOptions } from '../soft-tier.ts'
import { baselineOf } from './baseline.ts'
import { hardCapOf } from './caps.ts'
import { checkingOptions, checksOf } from './checks.ts'
import { guardChoices } from './guard-choices.ts'
import type { CliIo } from './io.ts'
import { recipeOf } from './recipe.ts'
import { secretsOf } from './secrets.ts'

export interface JudgingRequest {
  readonly config: Config
  readonly workFolder: string
  readonly store: Store
  readonly io: Pick<CliIo, 'environment' | 'homeFolder'>
}

export async function judgingOptions({ config, workFolder, store, io }: JudgingRequest) {
  const baseline = await baselineOf(config.baseline, store)
  return {
    workFolder,
    store,
    hardVerifiers: checksOf(config),
    guard: guardChoices({ config, homeFolder: io.homeFolder, baseline }),
    ...checkingOptions(config, Date.now()),
    hardCap: hardCapOf(config),
    secrets: secretsOf(io.environment, config.secrets ?? []),
    recipe: recipeOf(config),
    ...(config.completeWhen === undefined ? {} : { completeWhen: config.completeWhen }),
    ...(config.verifyWhen === undefined ? {} : { verifyWhen: config.verifyWhen }),
    ...(config.verifyAtCap === undefined ? {} : { verifyAtCap: config.verifyAtCap }),
    softVerifiers: softVerifiersOf(config),
  } satisfies Omit<AgentLoopOptions, 'drive'>
}

/** The configuration holds plain data; what it says is looked at where the loop is made. */
function softVerifiersOf({ loopDetection, stagnation, tokenBudget }: Config): SoftVerifierOptions {
  return {
    ...(loopDetection === undefined ? {} : { loopDetection }),
    ...(stagnation === undefined ? {} : { stagnation }),
    ...(tokenBudget === undefined ? {} : { tokenBudget }),
  }
}
