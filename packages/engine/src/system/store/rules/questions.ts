/** Stores questions; the first answer wins. Rules of `Questions` for every store. */
import { amendmentScopes } from '@donecheck/core/internal/events/gate'
import { goalChange, type GoalRequest } from '@donecheck/core/internal/goal'
import { z } from 'zod'
import { jsonOf, UsageError } from '../../../base/index.ts'
import type { AnswerResult, AskedQuestion, KeptAnswer, KeptQuestion } from '../../../ports/questions.ts'

const scopes = z.array(z.enum(amendmentScopes))
const subject = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('call'),
    callId: z.string(),
    tool: z.string(),
    effect: z.enum(['read', 'write', 'execute']),
    summary: z.string(),
    reason: z.string(),
    details: z.string(),
    amendment: z.object({ prefix: z.array(z.string()) }).exactOptional(),
    scopes: z.object({ yes: scopes, no: scopes }),
  }),
  z.object({ kind: z.literal('done'), check: z.string(), question: z.string(), details: z.string() }),
])
const stored: z.ZodType<KeptQuestion> = z.object({
  id: z.string(),
  runId: z.string(),
  askedAtMs: z.number(),
  subject,
  answer: z
    .object({
      approved: z.boolean(),
      by: z.string(),
      reason: z.string(),
      scope: z.enum(amendmentScopes).exactOptional(),
      answeredAtMs: z.number(),
    })
    .nullable(),
  isWithdrawn: z.boolean(),
})

/** @returns undefined if invalid or from a newer version */
export function questionOfText(text: string): KeptQuestion | undefined {
  return stored.safeParse(jsonOf(text)).data
}

export function isOpenQuestion({ answer, isWithdrawn }: KeptQuestion): boolean {
  return answer === null && !isWithdrawn
}

export function questionToKeep(before: KeptQuestion | undefined, asked: AskedQuestion): KeptQuestion {
  if (before !== undefined && !before.isWithdrawn) return before
  return { ...(before ?? asked), answer: null, isWithdrawn: false }
}

/** @throws {UsageError} for an answer that the question does not offer */
export function answerTo(
  question: KeptQuestion | undefined,
  answer: KeptAnswer,
): { readonly result: AnswerResult; readonly changed?: KeptQuestion } {
  if (question === undefined) return { result: { kind: 'unknown' } }
  const { answer: first, isWithdrawn } = question
  if (first !== null)
    return { result: { kind: isSameAnswer(first, answer) ? 'answered' : 'taken', answer: first } }
  if (isWithdrawn) return { result: { kind: 'withdrawn' } }
  assertOffered(question, answer)
  return { result: { kind: 'answered', answer }, changed: { ...question, answer } }
}

function isSameAnswer(one: KeptAnswer, other: KeptAnswer): boolean {
  return (
    one.approved === other.approved &&
    one.by === other.by &&
    one.reason === other.reason &&
    (one.scope ?? 'once') === (other.scope ?? 'once')
  )
}

function assertOffered({ id, subject: asked }: KeptQuestion, { approved, scope = 'once' }: KeptAnswer): void {
  const offered = asked.kind === 'done' ? ['once'] : asked.scopes[approved ? 'yes' : 'no']
  if (!offered.includes(scope))
    throw new UsageError(
      `question ${id} cannot be answered with ${approved ? 'yes' : 'no'} for "${scope}"; it offers: ${offered.join(', ')}`,
    )
}

const storedRequest: z.ZodType<GoalRequest> = z.object({
  goalId: z.string().nullable(),
  by: z.string(),
  change: goalChange,
})

/** @throws {TypeError} for a request that could not be read back */
export function goalRequestText(request: GoalRequest): string {
  const { data, error } = storedRequest.safeParse(request)
  if (data === undefined) throw new TypeError(`this request cannot be kept: ${z.prettifyError(error)}`)
  return JSON.stringify(data)
}

/** @returns undefined if invalid or from a newer version: the run ignores it */
export function goalRequestOfText(text: string): GoalRequest | undefined {
  return storedRequest.safeParse(jsonOf(text)).data
}
