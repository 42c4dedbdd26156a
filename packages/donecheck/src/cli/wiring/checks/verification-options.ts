import type { Config } from '../../../config/index.ts'
import { UsageError } from '@donecheck/engine/base'
import type { Verifier } from '@donecheck/engine/ports/checks'
import type { Store } from '@donecheck/engine/ports/store'
import type { VerificationOptions } from '@donecheck/engine/compose'
import { approverOf } from '../gate/gate.ts'
import type { Baseline } from './baseline.ts'
import { checkingOptions, checksOf } from './checks.ts'
import { guardChoices } from '../loop/guard-choices.ts'
import type { CliIo } from '../../process/io.ts'
import { recipeOf } from '../../settings/recipe.ts'
import { secretsOf } from '../../settings/secrets.ts'

interface VerificationRequest {
  readonly config: Config
  readonly workFolder: string
  readonly store: Store
  readonly io: CliIo
  readonly signal: AbortSignal
  readonly baseline: Baseline
  /** False if there is no baseline to compare with. */
  readonly isCompared: boolean
}

export async function verificationOptions(
  request: VerificationRequest,
): Promise<Omit<VerificationOptions, 'hardVerifiers'> & { readonly hardVerifiers: readonly Verifier[] }> {
  const { config, workFolder, store, io, signal, baseline, isCompared } = request
  if (config.tamperGuard === false && baseline.kind !== 'none')
    throw new UsageError('a baseline is compared with by the tamper guard, and that is switched off')
  return {
    workFolder,
    store,
    signal,
    hardVerifiers: await checksOf(config, { workFolder, store, io }),
    guard: isCompared ? guardChoices({ config, homeFolder: io.homeFolder, baseline }) : false,
    approver: approverOf(config, io, { interrupt: () => undefined }),
    secrets: secretsOf(io.environment, config.secrets ?? []),
    recipe: recipeOf(config),
    ...checkingOptions(config, Date.now()),
  }
}
