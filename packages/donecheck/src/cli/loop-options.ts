import type { AgentLoopOptions } from '../compose.ts'
import type { Config } from '../config/index.ts'
import type { Store } from '../ports.ts'
import { inheritedEnvironment } from '../process/index.ts'
import { defaultTools } from '../tools/index.ts'
import { approverOf } from './approver.ts'
import { chooseDrive } from './drive-choice.ts'
import type { CliIo } from './io.ts'
import { judgingOptions } from './judging-options.ts'
import { sandboxFor } from './gate.ts'
import { gateChoicesOf } from './gate-choices.ts'
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
  const ownsTools = drive.description.kind === 'model'
  // An agent with tools of its own asks before it runs some of them.
  const isGated = ownsTools || drive.own !== undefined
  return {
    drive,
    signal,
    onText,
    ...(await judgingOptions({ config, workFolder, store, io })),
    tools: ownsTools
      ? defaultTools({
          workFolder,
          environment,
          sandbox: await sandboxFor(config, workFolder, storeFolderOf(config.store, workFolder, io), io),
          ...shellTimeout(config),
        })
      : [],
    ...(isGated ? { gate: await gateChoicesOf(config, workFolder, io) } : {}),
    approver: approverOf(config, io, interrupt),
    ...(config.wrapUp === undefined ? {} : { wrapUp: config.wrapUp }),
    ...(config.maxRefunds === undefined ? {} : { maxRefunds: config.maxRefunds }),
    ...(config.allowConcurrent === undefined ? {} : { allowConcurrent: config.allowConcurrent }),
  }
}

function shellTimeout(config: Config): { readonly shellTimeoutMs?: number } {
  return config.shellTimeoutSeconds === undefined ? {} : { shellTimeoutMs: config.shellTimeoutSeconds * 1000 }
}
