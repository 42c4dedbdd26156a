import { userInfo } from 'node:os'
import type { AmendmentScope } from '@donecheck/core/internal/events/gate'
import { visibleLine } from '@donecheck/engine/internal/policy/approvals'
import { given, stateHome, UsageError } from '@donecheck/engine/internal/base'
import {
  guardCallId,
  type AnswerResult,
  type KeptAnswer,
  type KeptQuestion,
} from '@donecheck/engine/internal/ports/questions'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { isWithinCheck, runVariable } from '@donecheck/engine/internal/system/process'
import type { StoreFlags, Flags } from '../../options/flags.ts'
import type { CliIo } from '../../process/io.ts'
import { withStore } from '../../settings/settings.ts'
import { questionText } from '../../output/text-output.ts'
import { print } from '../../output/wrap.ts'

type AnswerFlags = StoreFlags & Flags<'by' | 'reason'> & { readonly scope?: AmendmentScope }

/** Run ids have no `-`. */
export function isQuestion(wanted: string): boolean {
  return wanted.startsWith('q-')
}

export async function approvalsCommand(flags: StoreFlags, io: CliIo): Promise<number> {
  return withStore(flags, io, async (store) => {
    const open = await store.openQuestions()
    return print(io, flags.json, open, () =>
      open.length === 0
        ? `nothing waits for an answer in ${store.place}`
        : open.map((question) => questionText(question)).join('\n\n'),
    )
  })
}

export async function denyCommand(wanted: string, flags: AnswerFlags, io: CliIo): Promise<number> {
  if (!isQuestion(wanted))
    throw new UsageError(`${wanted} is no question: donecheck approve list shows those that wait`)
  const question = await answerQuestion(wanted, false, flags, io)
  if (isOfGuard(question)) io.stderr.write(`to tell the agent: donecheck resume ${question.runId}\n`)
  return 0
}

/** A question of the tamper guard: the run ends while it waits and is resumed with the answer. */
export function isOfGuard({ subject }: KeptQuestion): boolean {
  return subject.kind === 'call' && subject.callId === guardCallId
}

/** @throws {UsageError} inside an agent or a check, which must not approve its own work */
export function assertNoAgent(io: CliIo): void {
  if (io.environment[runVariable] !== undefined || isWithinCheck(stateHome(io)))
    throw new UsageError(
      'approve, deny and serve are for whoever may decide, not for what a run has started; leave it to them',
    )
}

/** @throws {UsageError} if it cannot be answered like this, or was answered already */
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
      throw new UsageError(`there is no question ${id}; donecheck approve list shows those that wait`)
  }
}

/** Accepts a unique prefix of an open question. */
async function findQuestion(store: Store, wanted: string): Promise<KeptQuestion> {
  const exact = await store.question(wanted)
  if (exact !== undefined) return exact
  const found = (await store.openQuestions()).filter(({ id }) => id.startsWith(wanted))
  const [only] = found
  if (found.length > 1)
    throw new UsageError(`${wanted} could be ${found.map(({ id }) => id).join(' or ')}; give more of the id`)
  if (only === undefined)
    throw new UsageError(`there is no question ${wanted}; donecheck approve list shows those that wait`)
  return only
}
