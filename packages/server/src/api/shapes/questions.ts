/** What runs ask people, and what is answered. */
import { z } from 'zod'
import { amendmentScopes } from '@donecheck/core/gate'
import { epochMs, named, text } from './common.ts'

const scope = z.enum(amendmentScopes)

const subject = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('call'),
    callId: text,
    tool: text,
    effect: text,
    summary: text,
    reason: text,
    details: text,
    amendment: z.object({ prefix: z.array(text) }).exactOptional(),
    scopes: z.object({ yes: z.array(scope), no: z.array(scope) }),
  }),
  z.object({ kind: z.literal('done'), check: text, question: text, details: text }),
])

export const answer = z.object({
  approved: z.boolean(),
  by: text,
  reason: text,
  scope: scope.exactOptional(),
  answeredAtMs: epochMs,
})

export const question = named(
  'Question',
  z.object({
    id: text,
    runId: text,
    askedAtMs: epochMs,
    subject,
    answer: answer.nullable(),
    isWithdrawn: z.boolean(),
  }),
)

export const questionList = z.object({ questions: z.array(question) })

export const answerRequest = z.strictObject({
  approved: z.boolean(),
  scope: scope.exactOptional(),
  reason: z.string().max(10_000).exactOptional(),
})
