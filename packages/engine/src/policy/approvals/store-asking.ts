/** Stores questions, so that the first answer from any process decides. */
import { canonicalJson } from '@donecheck/core/internal/base'
import type { AmendmentScope } from '@donecheck/core/internal/events/gate'
import { maskText, type SecretValues } from '@donecheck/core/internal/secrets'
import { setTimeout as pause } from 'node:timers/promises'
import { assertKnownKeys, given, optionKeys, sha256 } from '../../base/index.ts'
import { interrupted } from './without-asking.ts'
import type { Human, HumanAnswer, HumanQuestion } from '../../ports/checks.ts'
import type { Approval, ApprovalQuestion, Approver } from '../../ports/gate.ts'
import {
  type AskedQuestion,
  guardCallId,
  type KeptAnswer,
  type KeptQuestion,
  type Questions,
  type QuestionSubject,
} from '../../ports/questions.ts'

interface StoreAskingOptions<Beside> {
  readonly store: Questions
  /** Another approver, such as a person at this terminal. The first answer wins and closes the other. */
  readonly beside?: Beside
  /** Values by name, masked in stored questions. */
  readonly secrets?: SecretValues
  readonly onWaiting?: (question: KeptQuestion) => void
  /** Poll interval for answers, in milliseconds. Default: 500. */
  readonly intervalMs?: number
}

const keys = optionKeys<StoreAskingOptions<unknown>>()('store! beside secrets onWaiting intervalMs')

/** Stable id; 128 bits, so that no two questions share an answer. @param whole all that is asked, masked */
function asAsked(runId: string, subject: QuestionSubject, whole: string): AskedQuestion {
  const digest = sha256(JSON.stringify([runId, whole]))
  return { id: `q-${digest.slice(0, 32)}`, runId, askedAtMs: Date.now(), subject }
}

async function answerSoFar(
  asked: AskedQuestion,
  { store, onWaiting }: StoreAskingOptions<unknown>,
): Promise<KeptAnswer | undefined> {
  const kept = await store.keepQuestion(asked)
  if (kept.answer !== null) return kept.answer
  await withdrawReplaced(asked, store)
  onWaiting?.(kept)
  return undefined
}

/** Includes earlier answers; undefined if none will come. @param askBeside undefined if it cannot answer */
async function firstAnswer(
  asked: AskedQuestion,
  options: StoreAskingOptions<unknown>,
  signal: AbortSignal,
  askBeside?: (signal: AbortSignal) => Promise<KeptAnswer | undefined>,
): Promise<KeptAnswer | undefined> {
  const { store } = options
  const known = await answerSoFar(asked, options)
  if (known !== undefined) return known
  const decided = new AbortController()
  const open = AbortSignal.any([signal, decided.signal])
  const settleBeside = async (ask: NonNullable<typeof askBeside>) => {
    const answer = await ask(open)
    return answer === undefined || open.aborted ? undefined : settle(asked.id, answer, store)
  }
  try {
    const elsewhere = answerElsewhere(asked.id, options, open)
    return await (askBeside === undefined ? elsewhere : Promise.race([elsewhere, settleBeside(askBeside)]))
  } finally {
    decided.abort()
  }
}

/** Withdraws an older question about the same call or check, such as for another version of a file. */
async function withdrawReplaced({ id, runId, subject }: AskedQuestion, store: Questions): Promise<void> {
  for (const other of await store.openQuestions())
    if (other.runId === runId && other.id !== id && placeOf(other.subject) === placeOf(subject))
      await store.withdrawQuestion(other.id)
}

function placeOf(subject: QuestionSubject): string {
  return subject.kind === 'call' ? `call ${subject.callId}: ${subject.summary}` : `check ${subject.check}`
}

async function answerElsewhere(
  id: string,
  { store, intervalMs = 500 }: StoreAskingOptions<unknown>,
  signal: AbortSignal,
): Promise<KeptAnswer | undefined> {
  while (!signal.aborted) {
    const question = await store.question(id)
    if (question?.isWithdrawn === true) return undefined
    if (question !== undefined && question.answer !== null) return question.answer
    await pause(intervalMs, undefined, { signal }).catch(() => undefined)
  }
  return undefined
}

/** Another process may have answered first. */
async function settle(id: string, answer: KeptAnswer, store: Questions): Promise<KeptAnswer> {
  const result = await store.answerQuestion(id, answer)
  return result.kind === 'taken' ? result.answer : answer
}

function outlivesRun({ subject }: KeptQuestion): boolean {
  return subject.kind === 'done' || subject.callId === guardCallId
}

/** @param waitsForApproval keeps questions of checks and the tamper guard, which a resume can answer */
export async function withdrawQuestions(
  store: Questions,
  runId: string,
  { waitsForApproval }: { readonly waitsForApproval: boolean },
): Promise<void> {
  for (const question of await store.openQuestions())
    if (question.runId === runId && !(waitsForApproval && outlivesRun(question)))
      await store.withdrawQuestion(question.id)
}

/** The change or the arguments; empty if the summary shows all. */
export function detailsOf({ summary, preview, args, action }: ApprovalQuestion): string {
  if (preview !== undefined) return preview
  if (action?.kind === 'command' && summary.includes(action.script)) return ''
  return JSON.stringify(args, null, 2)
}

/** Only commands can be remembered; a rule needs a proposed prefix. */
function scopesOf({ action, amendment }: ApprovalQuestion): Record<'yes' | 'no', AmendmentScope[]> {
  const isCommand = action?.kind === 'command'
  return {
    yes: ['once', ...(isCommand ? ['session' as const] : []), ...(amendment ? ['rule' as const] : [])],
    no: ['once', ...(isCommand ? ['rule' as const] : [])],
  }
}

/** @param secrets masked, because others read it */
function subjectOf(question: ApprovalQuestion, secrets: SecretValues): QuestionSubject {
  const { callId, tool, effect, amendment } = question
  const masked = (text: string) => maskText(text, secrets)
  return {
    kind: 'call',
    callId,
    tool,
    effect,
    summary: masked(question.summary),
    reason: masked(question.reason),
    details: masked(detailsOf(question)),
    ...(amendment === undefined ? {} : { amendment: { prefix: amendment.prefix.map(masked) } }),
    scopes: scopesOf(question),
  }
}

/**
 * Waits until any process answers; a resumed run finds the answer to the same question.
 * An interrupt withdraws the question, which is not a denial.
 */
export function storeApprover(options: StoreAskingOptions<Approver>): Approver {
  const { store, beside, secrets = {} } = options
  const keptAs = (question: ApprovalQuestion) => {
    const whole = maskText(canonicalJson(question), secrets)
    return asAsked(question.runId, subjectOf(question, secrets), whole)
  }
  return {
    async ask(question, signal) {
      if (signal.aborted) return interrupted
      const asked = keptAs(question)
      const askBeside = async (open: AbortSignal) => {
        const approval = await beside?.ask(question, open)
        return approval === undefined ? undefined : { ...approval, answeredAtMs: Date.now() }
      }
      const answer = await firstAnswer(asked, options, signal, beside === undefined ? undefined : askBeside)
      if (answer === undefined) {
        await store.withdrawQuestion(asked.id)
        return interrupted
      }
      return approvalOf(answer)
    },
    async askOnce(question) {
      const asked = keptAs(question)
      const answer = await answerSoFar(asked, options)
      return answer === undefined ? { openQuestion: asked.id } : approvalOf(answer)
    },
  }
}

function approvalOf({ approved, by, reason, scope }: KeptAnswer): Approval {
  return { approved, by, reason, ...given({ scope }) }
}

/** Stores questions, so that answers may come hours later; an unanswered check asks again. */
export function storeHuman(options: StoreAskingOptions<Human>): Human {
  assertKnownKeys(options, keys, 'storeHuman')
  const { beside, secrets = {} } = options
  const keptAs = ({ runId, check, question, details }: HumanQuestion) => {
    const masked = { question: maskText(question, secrets), details: maskText(details, secrets) }
    const subject = { kind: 'done' as const, check, ...masked }
    return asAsked(runId, subject, JSON.stringify(subject))
  }
  return {
    async ask(question, signal) {
      const asked = keptAs(question)
      const askBeside = async (open: AbortSignal) =>
        beside === undefined ? undefined : keptAnswerOf(await beside.ask(question, open))
      const answer = await firstAnswer(asked, options, signal, beside === undefined ? undefined : askBeside)
      return humanAnswerOf(answer, asked)
    },
    async askOnce(question) {
      const asked = keptAs(question)
      const answer = humanAnswerOf(await answerSoFar(asked, options), asked)
      return answer.kind === 'unanswered' ? { ...answer, openQuestion: asked.id } : answer
    },
  }
}

function humanAnswerOf(answer: KeptAnswer | undefined, { id }: AskedQuestion): HumanAnswer {
  if (answer === undefined) return { kind: 'unanswered', waitingFor: `an answer to question ${id}` }
  return { kind: answer.approved ? 'approved' : 'denied', by: answer.by, reason: answer.reason }
}

function keptAnswerOf(answer: HumanAnswer): KeptAnswer | undefined {
  if (answer.kind === 'unanswered') return undefined
  const { kind, by, reason } = answer
  return { approved: kind === 'approved', by, reason, answeredAtMs: Date.now() }
}
