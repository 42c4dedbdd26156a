import { userInfo } from 'node:os'
import type { AmendmentScope } from '@donecheck/core/internal/events/gate'
import { UsageError } from '@donecheck/engine/internal/base'
import { snapshotFolderOf } from '@donecheck/engine/internal/loop/compose'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { allowOpenChanges } from '@donecheck/engine/internal/checks/workspace'
import type { RunFlags, Flags } from '../../options/flags.ts'
import type { CliIo } from '../../process/io.ts'
import { resumeCommand, whileHeld } from '../run/resume.ts'
import { answerQuestion, assertNoAgent, isOfGuard, isQuestion } from './approvals.ts'
import { withRun, withStore } from '../../settings/settings.ts'

type ApproveFlags = RunFlags & Flags<'by' | 'reason'> & { readonly scope?: AmendmentScope }

export async function approveCommand(
  wanted: string,
  paths: readonly string[],
  given: ApproveFlags,
  io: CliIo,
): Promise<number> {
  const { by = userInfo().username, reason = '', scope, ...flags } = given
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
}

/** An active run picks the answer up itself. */
async function goOn(runId: string, words: Words, flags: RunFlags, io: CliIo): Promise<number> {
  const isWaiting = await withStore(flags, io, async (store) => {
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
  return withRun(wanted, flags, io, async ({ runId }, store) => {
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
export function allowChanges(store: Store, runId: string, words: Words): Promise<readonly string[]> {
  return whileHeld(store, runId, 'approve', () =>
    allowOpenChanges({ runId, snapshotFolder: snapshotFolderOf({}, store), ...words }),
  )
}
