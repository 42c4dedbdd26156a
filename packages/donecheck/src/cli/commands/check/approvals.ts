/** `donecheck approvals`, `approve QUESTION` and `deny QUESTION`: what waits for a person, and its answer, from any process. */
import { userInfo } from 'node:os'
import type { AmendmentScope } from '@donecheck/core/gate'
import { visibleLine } from '@donecheck/engine/approvals'
import { given, stateHome, UsageError } from '@donecheck/engine/base'
import {
  guardCallId,
  type AnswerResult,
  type KeptAnswer,
  type KeptQuestion,
} from '@donecheck/engine/ports/questions'
import type { Store } from '@donecheck/engine/ports/store'
import { isWithinCheck, runVariable, isAlive, thisHolder } from '@donecheck/engine/process'
import type { StoreFlags, RunFlags } from '../../options/flags.ts'
import { questionText } from '../../output/question-text.ts'
import type { CliIo } from '../../process/io.ts'
import { withStore, settingsWithoutFile } from '../../settings/settings.ts'
import { withNamedStore } from '../../settings/store-folder.ts'
import { snapshotFolderOf } from '@donecheck/engine/compose'
import { keepLease } from '@donecheck/engine/run'
import { allowOpenChanges } from '@donecheck/engine/workspace'
import { reportFailure } from '../../process/failure.ts'
import { findRun } from '../../settings/recipe.ts'
import { resumeCommand } from '../run/resume.ts'

interface AnswerFlags extends StoreFlags {
  readonly by?: string
  readonly reason?: string
  readonly scope?: AmendmentScope
}

/** Ids of runs have no `-`. */
function isQuestion(wanted: string): boolean {
  return wanted.startsWith('q-')
}

export async function approvalsCommand(flags: StoreFlags, io: CliIo): Promise<number> {
  return withStore(flags, io, async (store) => {
    const open = await store.openQuestions()
    const nothing = `nothing waits for an answer in ${store.place}`
    const lines = open.length === 0 ? nothing : open.map((question) => questionText(question)).join('\n\n')
    io.stdout.write(`${flags.json === true ? JSON.stringify(open) : lines}\n`)
    return 0
  })
}

export async function denyCommand(wanted: string, flags: AnswerFlags, io: CliIo): Promise<number> {
  if (!isQuestion(wanted))
    throw new UsageError(`${wanted} is no question: donecheck approvals lists those that wait`)
  const question = await answerQuestion(wanted, false, flags, io)
  if (isOfGuard(question)) io.stderr.write(`to tell the agent: donecheck resume ${question.runId}\n`)
  return 0
}

/** Its run ends while it waits, and goes on with the answer. */
function isOfGuard({ subject }: KeptQuestion): boolean {
  return subject.kind === 'call' && subject.callId === guardCallId
}

/** @throws {UsageError} in what a run has started, agents by a variable and checks by their notes: it may not allow itself */
export function assertNoAgent(io: CliIo): void {
  if (io.environment[runVariable] !== undefined || isWithinCheck(stateHome(io)))
    throw new UsageError(
      'approve, deny and serve are for whoever may decide, not for what a run has started; leave it to them',
    )
}

/** @throws {UsageError} where it cannot be answered so, or somebody was first */
export async function answerQuestion(
  wanted: string,
  approved: boolean,
  {
    by = userInfo().username,
    reason = approved ? 'yes' : 'refused by the user',
    scope,
    ...flags
  }: AnswerFlags,
  io: CliIo,
): Promise<KeptQuestion> {
  assertNoAgent(io)
  const answered = { approved, by, reason, answeredAtMs: Date.now(), ...given({ scope }) }
  return withStore(flags, io, async (store) => {
    const question = await findQuestion(store, wanted)
    const { id } = question
    const answer = answerOf(id, await store.answerQuestion(id, answered))
    io.stderr.write(`${answer.approved ? 'approved' : 'denied'} by ${visibleLine(answer.by)}: ${id}\n`)
    return question
  })
}

function answerOf(id: string, result: AnswerResult): KeptAnswer {
  switch (result.kind) {
    case 'answered':
      return result.answer
    case 'taken': {
      const { approved, by } = result.answer
      throw new UsageError(
        `question ${id} is answered already: ${visibleLine(by)} has ${approved ? 'approved' : 'denied'} it`,
      )
    }
    case 'withdrawn':
      throw new UsageError(`nobody waits for an answer to question ${id} any more: its run has ended`)
    case 'unknown':
      throw new UsageError(`there is no question ${id}; donecheck approvals lists those that wait`)
  }
}

/** The beginning of an id is enough where it is that of one open question. */
async function findQuestion(store: Store, wanted: string): Promise<KeptQuestion> {
  const exact = await store.question(wanted)
  if (exact !== undefined) return exact
  const found = (await store.openQuestions()).filter(({ id }) => id.startsWith(wanted))
  const [only] = found
  if (found.length > 1)
    throw new UsageError(`${wanted} could be ${found.map(({ id }) => id).join(' or ')}; give more of the id`)
  if (only === undefined)
    throw new UsageError(`there is no question ${wanted}; donecheck approvals lists those that wait`)
  return only
}

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
      throw new UsageError('--scope is for a question: donecheck approvals lists those that wait')
    assertNoAgent(io)
    const runId = await allow(wanted, { paths, by, reason }, flags, io)
    return await resumeCommand(runId, flags, io)
  } catch (error) {
    return reportFailure(error, (flags.outputFormat ?? 'text') !== 'text', io)
  }
}

/** A run that is at work finds the answer itself. */
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

/** What is allowed as a whole is asked no more. */
async function answerForAll(store: Store, runId: string, { paths, by, reason }: Words): Promise<void> {
  if (paths.length > 0) return
  const answer = { approved: true, by, reason, answeredAtMs: Date.now() }
  for (const question of await store.openQuestions())
    if (question.runId === runId && isOfGuard(question)) await store.answerQuestion(question.id, answer)
}

/** The run must be at rest: a live one remembers for itself. @throws {RunHeldError} while it works */
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
