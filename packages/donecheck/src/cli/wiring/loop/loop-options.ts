import { checkAdded } from '../checks/checks.ts'
import { systemClock } from '@donecheck/engine/run'
import { goalTools } from '@donecheck/engine/tools'
import { assertShowsCalls, type AgentLoopOptions } from '@donecheck/engine/compose'
import type { Config } from '../../../config/index.ts'
import type { Approver } from '@donecheck/engine/ports/gate'
import type { Memory } from '@donecheck/engine/ports/memory'
import type { Store } from '@donecheck/engine/ports/store'
import { inheritedEnvironment } from '@donecheck/engine/process'
import { defaultTools } from '@donecheck/engine/tools'
import { chooseDrive } from './drive-choice.ts'
import type { CliIo } from '../../process/io.ts'
import { judgeChecks } from '../judging/judge.ts'
import { replyVerification } from '../judging/replies.ts'
import { judgingOptions } from '../judging/judging-options.ts'
import { sandboxFor } from '../gate/gate.ts'
import { hooksOf } from './command-hooks.ts'
import { authorsOf } from '../checks/seal.ts'
import { resolveGateChoices } from '../gate/gate-choices.ts'
import { storeFolderOf } from '../../settings/store-folder.ts'

interface JudgedRequest {
  readonly config: Config
  readonly workFolder: string
  readonly store: Store
  readonly io: CliIo
}

export interface LoopRequest extends JudgedRequest {
  readonly signal: AbortSignal
  readonly approver: Approver
  readonly shown: Pick<AgentLoopOptions, 'onText' | 'onOutput'>
  readonly memory: Memory | undefined
}

/** What judges a run, whoever drives it: checks, judges, caps, rules, replies. */
export async function judgedOptions({ config, workFolder, store, io }: JudgedRequest) {
  const judging = await judgingOptions({ config, workFolder, store, io })
  const judges = await judgeChecks({ config, workFolder, store, io, reads: 'answer' })
  const verifyReplies = replyVerification(config, judges)
  return {
    ...judging,
    hardVerifiers:
      verifyReplies === undefined ? [...judging.hardVerifiers, ...judges] : judging.hardVerifiers,
    ...(verifyReplies === undefined ? {} : { verifyReplies }),
  }
}

/** From the configuration to the parts of a loop. */
export async function loopOptions({
  config,
  workFolder,
  store,
  signal,
  approver,
  shown,
  memory,
  io,
}: LoopRequest): Promise<AgentLoopOptions> {
  const drive = await chooseDrive(config, workFolder, io)
  if (config.keptHeartbeat !== undefined) assertShowsCalls(drive)
  const environment = inheritedEnvironment(io.environment)
  const judged = await judgedOptions({ config, workFolder, store, io })
  const ownsTools = drive.description.kind === 'model'
  // An agent with tools of its own asks before it runs some of them.
  const isGated = ownsTools || drive.own !== undefined
  return {
    drive,
    signal,
    approver,
    ...shown,
    ...(memory === undefined ? {} : { memory }),
    ...judged,
    tools: ownsTools
      ? [
          ...(config.keptGoal === true ? goalTools(store, () => systemClock.nowMs()) : []),
          ...defaultTools({
            workFolder,
            environment,
            sandbox: await sandboxFor(config, workFolder, storeFolderOf(config.store, workFolder, io), io),
            ...shellTimeout(config),
          }),
        ]
      : [],
    addedCheck: (check) => checkAdded(check, config),
    ...(config.seal === undefined ? {} : { seal: await authorsOf(config, io) }),
    ...(config.hooks === undefined ? {} : { hooks: hooksOf(config, workFolder, environment) }),
    ...(isGated ? { gate: await resolveGateChoices(config, workFolder, io) } : {}),
    ...(config.finalSummary === undefined ? {} : { finalSummary: config.finalSummary }),
    ...(config.labels === undefined ? {} : { labels: config.labels }),
    ...(config.maxRefunds === undefined ? {} : { maxRefunds: config.maxRefunds }),
    ...(config.allowConcurrent === undefined ? {} : { allowConcurrent: config.allowConcurrent }),
  }
}

function shellTimeout(config: Config): { readonly shellTimeoutMs?: number } {
  return config.shellTimeoutSeconds === undefined ? {} : { shellTimeoutMs: config.shellTimeoutSeconds * 1000 }
}
