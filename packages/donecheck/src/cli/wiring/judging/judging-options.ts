import { given } from '@donecheck/engine/base'
import { judgeChecks } from './judge.ts'
import { capsOfHeartbeat, type AgentLoopOptions, type SoftVerifierOptions } from '@donecheck/engine/compose'
import type { Config } from '../../../config/index.ts'
import type { Store } from '@donecheck/engine/ports/store'
import { readBaseline } from '../checks/baseline.ts'
import { hardCapOf } from '../loop/caps.ts'
import { guardChoices } from '../loop/guard-choices.ts'
import { checkingOptions, checksOf } from '../checks/checks.ts'
import type { CheckSurroundings } from '../checks/check-parts.ts'
import { recipeOf } from '../../settings/recipe.ts'
import { secretsOf } from '../../settings/secrets.ts'

export interface JudgingRequest {
  readonly config: Config
  readonly workFolder: string
  readonly store: Store
  readonly io: CheckSurroundings['io']
}

export async function judgingOptions({ config, workFolder, store, io }: JudgingRequest) {
  const baseline = await readBaseline(config.baseline, store)
  return {
    workFolder,
    store,
    hardVerifiers: await checksOf(config, { workFolder, store, io }),
    guard: guardChoices({ config, homeFolder: io.homeFolder, baseline }),
    ...checkingOptions(config, Date.now()),
    hardCap: { ...(config.keptHeartbeat === undefined ? {} : capsOfHeartbeat), ...hardCapOf(config) },
    secrets: secretsOf(io.environment, config.secrets ?? []),
    recipe: recipeOf(config),
    ...completionOf(config),
    ...given({ verifyWhen: config.verifyWhen, verifyAtCap: config.verifyAtCap }),
    softVerifiers: softVerifiersOf(config),
  } satisfies Omit<AgentLoopOptions, 'drive'>
}

/** A host delivers replies itself, so a judge is always a check. */
export async function hostedOptions(request: JudgingRequest) {
  const options = await judgingOptions(request)
  const judges = await judgeChecks({ ...request, reads: 'answer' })
  return { ...options, hardVerifiers: [...options.hardVerifiers, ...judges] }
}

function completionOf({ completeWhen, keptHeartbeat }: Config): Pick<AgentLoopOptions, 'completeWhen'> {
  if (keptHeartbeat !== undefined) return { completeWhen: 'checks-and-claim' }
  return given({ completeWhen })
}

export function softVerifiersOf(config: Config): SoftVerifierOptions {
  const { loopDetection, stagnation, tokenBudget } = config
  return given({ loopDetection, stagnation, tokenBudget })
}
