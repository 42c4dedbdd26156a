import { assertGit } from '@donecheck/engine/trees'
import { given, messageOf, UsageError } from '@donecheck/engine/base'
import { checkAdded } from '../checks/checks.ts'
import { systemClock } from '@donecheck/engine/run'
import { goalTools, defaultTools } from '@donecheck/engine/tools'
import { assertShowsCalls, type AgentLoopOptions } from '@donecheck/engine/compose'
import { waitingMs, type Config } from '../../../config/index.ts'
import type { Approver } from '@donecheck/engine/ports/gate'
import type { Memory } from '@donecheck/engine/ports/memory'
import { inheritedEnvironment } from '@donecheck/engine/process'
import { chooseDrive } from './drive-choice.ts'
import type { CliIo } from '../../process/io.ts'
import { judgeChecks } from '../judging/judge.ts'
import { judgingOptions, type JudgingRequest } from '../judging/judging-options.ts'
import { replyVerification } from '../judging/replies.ts'
import { sandboxFor, resolveGateChoices } from '../gate/gate.ts'
import { storeFolderOf } from '../../settings/store-folder.ts'
import { hooksOf } from './command-hooks.ts'

interface JudgedRequest extends JudgingRequest {
  readonly io: CliIo
}

interface LoopRequest extends JudgedRequest {
  readonly signal: AbortSignal
  readonly approver: Approver
  readonly shown: Pick<AgentLoopOptions, 'onText' | 'onOutput'>
  readonly memory: Memory | undefined
}

export async function judgedOptions(request: JudgedRequest) {
  const judging = await judgingOptions(request)
  const judges = await judgeChecks({ ...request, reads: 'answer' })
  const verifyReplies = replyVerification(request.config, judges)
  return {
    ...judging,
    hardVerifiers:
      verifyReplies === undefined ? [...judging.hardVerifiers, ...judges] : judging.hardVerifiers,
    ...given({ verifyReplies }),
  }
}

export async function loopOptions(request: LoopRequest): Promise<AgentLoopOptions> {
  const { config, workFolder, store, signal, approver, shown, memory, io } = request
  const drive = await chooseDrive(config, workFolder, io)
  if (config.keptHeartbeat !== undefined) assertShowsCalls(drive)
  const { finalSummary, labels, allowConcurrent } = config
  const environment = inheritedEnvironment(io.environment)
  const judged = await judgedOptions({ config, workFolder, store, io })
  if (
    judged.guard !== false &&
    judged.hardVerifiers.some(({ description }) => description.reads === 'workspace')
  )
    assertGitIsHere()
  const ownsTools = drive.description.kind === 'model'
  // Agents with their own tools ask before some calls.
  const isGated = ownsTools || drive.own !== undefined
  return {
    drive,
    signal,
    approver,
    ...shown,
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
    ...(config.hooks === undefined ? {} : { hooks: hooksOf(config, workFolder, environment) }),
    ...(isGated ? { gate: await resolveGateChoices(config, workFolder, io) } : {}),
    ...(finalSummary === undefined ? {} : { finalSummary: finalSummary === true || finalSummary === 'on' }),
    ...given({ memory, labels, allowConcurrent }),
    providerWaits: given({
      providerMs: waitingMs(config.waitForProvider ?? ''),
      limitMs: waitingMs(config.waitForLimit ?? ''),
    }),
  }
}

function shellTimeout(config: Config): { readonly shellTimeoutMs?: number } {
  return config.shellTimeoutSeconds === undefined ? {} : { shellTimeoutMs: config.shellTimeoutSeconds * 1000 }
}

/** @throws {UsageError} now, instead of at every turn */
function assertGitIsHere(): void {
  try {
    assertGit()
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error })
  }
}
