import type { AgentLoopOptions } from '../compose.ts'
import type { Config } from '../config/index.ts'
import type { Store } from '../ports.ts'
import type { SoftVerifierOptions } from '../soft-tier.ts'
import { inheritedEnvironment } from '../process/index.ts'
import { defaultTools } from '../tools/index.ts'
import { approverOf } from './approver.ts'
import { baselineOf } from './baseline.ts'
import { checkingOptions, checksOf } from './checks.ts'
import { chooseDrive } from './drive-choice.ts'
import { guardChoices } from './guard-choices.ts'
import { hardCapOf } from './caps.ts'
import type { CliIo } from './io.ts'
import { sandboxFor } from './gate.ts'
import { gateChoicesOf } from './gate-choices.ts'
import { recipeOf } from './recipe.ts'
import { secretsOf } from './secrets.ts'
import { storeFolderOf } from './store-folder.ts'

export interface LoopRequest {
  readonly config: Config
  readonly workFolder: string
  readonly store: Store
  readonly signal: AbortSignal
  /** Asks the run to stop. */
  readonly interrupt: (name: string) => void
  readonly onText: (piece: string) => void
  readonly io: CliIo
}

/** From the configuration to the parts of a loop. */
export async function loopOptions({
  config,
  workFolder,
  store,
  signal,
  interrupt,
  onText,
  io,
}: LoopRequest): Promise<AgentLoopOptions> {
  const drive = await chooseDrive(config, workFolder, io)
  const environment = inheritedEnvironment(io.environment)
  const baseline = await baselineOf(config.baseline, store)
  const ownsTools = drive.description.kind === 'model'
  return {
    drive,
    workFolder,
    store,
    signal,
    onText,
    hardVerifiers: checksOf(config),
    guard: guardChoices({ config, homeFolder: io.homeFolder, baseline }),
    ...checkingOptions(config, Date.now()),
    hardCap: hardCapOf(config),
    tools: ownsTools
      ? defaultTools({
          workFolder,
          environment,
          sandbox: await sandboxFor(config, workFolder, storeFolderOf(config.store, workFolder, io), io),
          ...shellTimeout(config),
        })
      : [],
    ...(ownsTools ? { gate: await gateChoicesOf(config, workFolder, io) } : {}),
    approver: approverOf(config, io, interrupt),
    secrets: secretsOf(io.environment, config.secrets ?? []),
    recipe: recipeOf(config),
    ...(config.completeWhen === undefined ? {} : { completeWhen: config.completeWhen }),
    ...(config.verifyWhen === undefined ? {} : { verifyWhen: config.verifyWhen }),
    ...(config.verifyAtCap === undefined ? {} : { verifyAtCap: config.verifyAtCap }),
    softVerifiers: softVerifiersOf(config),
    ...(config.wrapUp === undefined ? {} : { wrapUp: config.wrapUp }),
    ...(config.maxRefunds === undefined ? {} : { maxRefunds: config.maxRefunds }),
    ...(config.allowConcurrent === undefined ? {} : { allowConcurrent: config.allowConcurrent }),
  }
}

/** The configuration holds plain data; what it says is looked at where the loop is made. */
function softVerifiersOf({ loopDetection, stagnation, tokenBudget }: Config): SoftVerifierOptions {
  return {
    ...(loopDetection === undefined ? {} : { loopDetection }),
    ...(stagnation === undefined ? {} : { stagnation }),
    ...(tokenBudget === undefined ? {} : { tokenBudget }),
  }
}

function shellTimeout(config: Config): { readonly shellTimeoutMs?: number } {
  return config.shellTimeoutSeconds === undefined ? {} : { shellTimeoutMs: config.shellTimeoutSeconds * 1000 }
}
