import { userInfo } from 'node:os'
import type { AmendmentScope } from '@donecheck/core/gate'
import { UsageError } from '@donecheck/engine/base'
import { snapshotFolderOf } from '@donecheck/engine/compose'
import type { Store } from '@donecheck/engine/ports/store'
import { isAlive, thisHolder } from '@donecheck/engine/process'
import { keepLease } from '@donecheck/engine/run'
import { allowOpenChanges } from '@donecheck/engine/workspace'
import { outputFormatOf, type RunFlags } from '../../options/flags.ts'
import { reportFailure } from '../../process/failure.ts'
import type { CliIo } from '../../process/io.ts'
import { findRun } from '../../settings/recipe.ts'
import { settingsWithoutFile } from '../../settings/settings.ts'
import { withNamedStore } from '../../settings/store-folder.ts'
import { resumeCommand } from '../run/resume.ts'
import { answerQuestion, assertNoAgent, isOfGuard, isQuestion } from './approvals.ts'

interface ApproveFlags extends RunFlags {
  readonly by?: string
  readonly reason?: string
  readonly scope?: AmendmentScope
}

export async function approveCommand(
  wanted: string,
  paths: readonly string[],
  given: ApproveFlags,
  io: CliIo,
): Promise<number> {
  const { by = userInfo().username, reason = '', scope, ...flags } = given
  try {
    if (isQuestion(wanted)) {
      if (paths.length > 0)
        throw new UsageError(`${wanted} is a question, which has no paths: name the question alone`)
      const question = await answerQuestion(wanted, true, given, io)
      return isOfGuard(question) ? await goOn(question.runId, { paths, by, reason }, flags, io) : 0
    }
    if (scope !== undefined)
      throw new UsageError('--scope is for a question: donecheck approve list shows those that wait')
    assertNoAgent(io)
    const runId = await allow(wanted, { paths, by, reason }, flags, io)
    return await resumeCommand(runId, flags, io)
  } catch (error) {
    return reportFailure(error, outputFormatOf(flags) !== 'text', io)
  }
}

/** An active run picks the answer up itself. */
async function goOn(runId: string, words: Words, flags: RunFlags, io: CliIo): Promise<number> {
  const { config, workFolder } = settingsWithoutFile(flags, io)
  const isWaiting = await withNamedStore(config.store, workFolder, io, async (store) => {
    const isAtRest = (await store.summary(runId))?.reason === 'awaiting_approval'
    if (isAtRest) await allowChanges(store, runId, words)
    return isAtRest
  })
  return isWaiting ? resumeCommand(runId, flags, io) : 0
}

interface Words {
  readonly paths: readonly string[]
  readonly by: string
  readonly reason: string
}

async function allow(wanted: string, words: Words, flags: RunFlags, io: CliIo): Promise<string> {
  const { config, workFolder } = settingsWithoutFile(flags, io)
  return withNamedStore(config.store, workFolder, io, async (store) => {
    const runId = await findRun(store, wanted)
    const allowed = await allowChanges(store, runId, words)
    await answerForAll(store, runId, words)
    io.stderr.write(`allowed by ${words.by}: ${allowed.join(', ')}\n`)
    return runId
  })
}

async function answerForAll(store: Store, runId: string, { paths, by, reason }: Words): Promise<void> {
  if (paths.length > 0) return
  const answer = { approved: true, by, reason, answeredAtMs: Date.now() }
  for (const question of await store.openQuestions())
    if (question.runId === runId && isOfGuard(question)) await store.answerQuestion(question.id, answer)
}

/** @throws {RunHeldError} while the run is active */
export async function allowChanges(store: Store, runId: string, words: Words): Promise<readonly string[]> {
  const held = await keepLease({
    name: `run ${runId}`,
    holder: thisHolder(`approve ${runId}`),
    leases: store,
    isDead: (other) => isAlive(other) === 'dead',
  })
  try {
    const snapshotFolder = snapshotFolderOf({}, store)
    return allowOpenChanges({ runId, snapshotFolder, ...words })
  } finally {
    await held.release()
  }
}
