import { acceptAll, refuseAll, terminalApprover } from '../approve/index.ts'
import type { AgentLoopOptions } from '../compose.ts'
import type { Config } from '../config/index.ts'
import { gateByApproval } from '../gate/index.ts'
import type { HardCap } from '../hard-cap.ts'
import type { Approver, Store } from '../ports.ts'
import { inheritedEnvironment } from '../process/index.ts'
import { defaultTools } from '../tools/index.ts'
import { command } from '../verify/index.ts'
import { chooseDrive } from './drive-choice.ts'
import type { CliIo } from './io.ts'
import { recipeOf } from './recipe.ts'
import { secretsOf } from './secrets.ts'

const defaultVerifyTimeoutSeconds = 300

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
  const timeoutMs = (config.verifyTimeoutSeconds ?? defaultVerifyTimeoutSeconds) * 1000
  const ownsTools = drive.description.kind === 'model'
  return {
    drive,
    workFolder,
    store,
    signal,
    onText,
    hardVerifiers: (config.until ?? []).map((line) => command(line, { timeoutMs })),
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

function approverOf(config: Config, io: CliIo, interrupt: (name: string) => void): Approver {
  if (config.yes === true) return acceptAll('--yes')
  if (io.stdin.isTTY && io.stderr.isTTY) {
    return terminalApprover({ input: io.stdin, output: io.stderr, onCancel: () => interrupt('Ctrl-C') })
  }
  return refuseAll(
    'nobody can be asked: there is no terminal. Run with --yes to accept, or with --approval never',
  )
}
