import type { AgentLoopOptions } from '../compose.ts'
import type { Config } from '../config/index.ts'
import { gateByApproval } from '../gate/index.ts'
import type { HardCap } from '../hard-cap.ts'
import type { Store } from '../ports.ts'
import { inheritedEnvironment } from '../process/index.ts'
import { defaultTools } from '../tools/index.ts'
import { approverOf } from './approver.ts'
import { baselineOf } from './baseline.ts'
import { checkingOptions, checksOf } from './checks.ts'
import { chooseDrive } from './drive-choice.ts'
import { guardChoices } from './guard-choices.ts'
import type { CliIo } from './io.ts'
import { recipeOf } from './recipe.ts'
import { secretsOf } from './secrets.ts'

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
    tools: ownsTools ? defaultTools({ workFolder, environment, ...shellTimeout(config) }) : [],
    gate: gateByApproval(config.approval ?? 'writes'),
    approver: approverOf(config, io, interrupt),
    secrets: secretsOf(io.environment, config.secrets ?? []),
    recipe: recipeOf(config),
    ...(config.completeWhen === undefined ? {} : { completeWhen: config.completeWhen }),
    ...(config.verifyWhen === undefined ? {} : { verifyWhen: config.verifyWhen }),
    ...(config.verifyAtCap === undefined ? {} : { verifyAtCap: config.verifyAtCap }),
    ...(config.allowConcurrent === undefined ? {} : { allowConcurrent: config.allowConcurrent }),
  }
}

function shellTimeout(config: Config): { readonly shellTimeoutMs?: number } {
  return config.shellTimeoutSeconds === undefined ? {} : { shellTimeoutMs: config.shellTimeoutSeconds * 1000 }
}

function hardCapOf(config: Config): HardCap {
  const { maxIterations, maxModelCalls, maxToolCalls, maxTokens, maxCostUsd, maxSeconds } = config
  return {
    ...(maxIterations === undefined ? {} : { iterations: maxIterations }),
    ...(maxModelCalls === undefined ? {} : { modelCalls: maxModelCalls }),
    ...(maxToolCalls === undefined ? {} : { toolCalls: maxToolCalls }),
    ...(maxTokens === undefined ? {} : { tokens: maxTokens }),
    ...(maxCostUsd === undefined ? {} : { costUsd: maxCostUsd }),
    ...(maxSeconds === undefined ? {} : { wallClockMs: maxSeconds === null ? null : maxSeconds * 1000 }),
  }
}
