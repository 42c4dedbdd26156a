/** A question that is kept in the store, so that whoever is first to answer it decides: here, or in any other process. */
import { setTimeout as pause } from 'node:timers/promises'
import type { SecretValues } from '@donecheck/core/secrets'
import { optionKeys, sha256 } from '../../base/index.ts'
import {
  guardCallId,
  type AskedQuestion,
  type KeptAnswer,
  type KeptQuestion,
  type Questions,
  type QuestionSubject,
} from '../../ports/questions.ts'

export interface StoreAskingOptions<Beside> {
  readonly store: Questions
  /** Who is asked at the same time, such as a person at this terminal. The first answer holds, and ends the other question. */
  readonly beside?: Beside
  /** Values that are masked in what is kept, by name. */
  readonly secrets?: SecretValues
  /** Told of each question that begins to wait. */
  readonly onWaiting?: (question: KeptQuestion) => void
  /** How often an answer of another process is looked for, in milliseconds. Default 500. */
  readonly intervalMs?: number
}

export const storeAskingKeys = optionKeys<StoreAskingOptions<unknown>>()(
  'store! beside secrets onWaiting intervalMs',
)

/**
 * The same question of a run has the same id, whenever it is asked. An answer holds for the id: so it has 128 bits, for nobody to find
 * two questions of one.
 * @param whole all that is asked about, also what the subject does not show, masked
 */
export function asAsked(runId: string, subject: QuestionSubject, whole: string): AskedQuestion {
  const digest = sha256(JSON.stringify([runId, whole]))
  return { id: `q-${digest.slice(0, 32)}`, runId, askedAtMs: Date.now(), subject }
}

/** Keeps the question and does not wait. Undefined: nobody has answered so far. */
export async function answerSoFar(
  asked: AskedQuestion,
  { store, onWaiting }: StoreAskingOptions<unknown>,
): Promise<KeptAnswer | undefined> {
  const kept = await store.keepQuestion(asked)
  if (kept.answer !== null) return kept.answer
  await withdrawReplaced(asked, store)
  onWaiting?.(kept)
  return undefined
}

/**
 * The first answer, also one that was given while nobody waited.
 * @param askBeside undefined: there, nobody will answer
 * @returns undefined where the signal ends the waiting, the question is withdrawn, or nobody will answer
 */
export async function firstAnswer(
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

/** What was asked of the same call or check before, such as about another version of a file, is asked no more. */
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

/** Somebody elsewhere may have been faster. */
async function settle(id: string, answer: KeptAnswer, store: Questions): Promise<KeptAnswer> {
  const result = await store.answerQuestion(id, answer)
  return result.kind === 'taken' ? result.answer : answer
}

function outlivesRun({ subject }: KeptQuestion): boolean {
  return subject.kind === 'done' || subject.callId === guardCallId
}

/**
 * A run that has ended waits for nobody.
 * @param waitsForApproval it ended because a check, or the tamper guard, waits for a person: those questions stay, for the answer with
 * which it goes on
 */
export async function withdrawQuestions(
  store: Questions,
  runId: string,
  { waitsForApproval }: { readonly waitsForApproval: boolean },
): Promise<void> {
  for (const question of await store.openQuestions())
    if (question.runId === runId && !(waitsForApproval && outlivesRun(question)))
      await store.withdrawQuestion(question.id)
}
