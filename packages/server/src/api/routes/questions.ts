import { z } from 'zod'
import { amendmentScopes } from '@donecheck/core/internal/events/gate'
import { donecheckVersion } from '@donecheck/engine/internal/base'
import type { KeptQuestion } from '@donecheck/engine/internal/ports/questions'
import { roles } from '../../access/index.ts'
import { bell } from '../../live/index.ts'
import { body, json, route, routes } from '../route.ts'
import { described, epochMs, list, Problem, text, wholeWithin, withId } from '../shapes.ts'
import type { Workplace } from '../workplace.ts'

const scope = z.enum(amendmentScopes)

const question = z
  .object({
    id: text,
    runId: text,
    askedAtMs: epochMs,
    subject: z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('call'),
        callId: text,
        tool: text,
        effect: text,
        summary: text,
        reason: text,
        details: text,
        amendment: z.object({ prefix: list(text) }).optional(),
        scopes: z.object({ yes: list(scope), no: list(scope) }),
      }),
      z.object({ kind: z.literal('done'), check: text, question: text, details: text }),
    ]),
    answer: z
      .object({
        approved: z.boolean(),
        by: text,
        reason: text,
        scope: scope.optional(),
        answeredAtMs: epochMs,
      })
      .nullable(),
    isWithdrawn: z.boolean(),
  })
  .meta({ id: 'Question' })
export type Question = z.output<typeof question>

const answerRequest = described(
  z.strictObject({
    approved: z.boolean(),
    scope: scope.exactOptional(),
    reason: z.string().max(10_000).default(''),
  }),
)
export type AnswerRequest = z.input<typeof answerRequest>

const session = z.object({
  user: text,
  roles: list(z.enum(roles)),
  version: text,
  place: text,
  canStart: z.boolean().describe('false: the service only shows runs'),
})
export type Session = z.output<typeof session>

/** Below the 55 seconds after which hosts drop a request. */
const maxWaitSeconds = 50

export const questionRoutes = routes()
  .openapi(
    route('read', {
      method: 'get',
      path: '/api/session',
      summary: 'Who is asking, what they may do, and of which store',
      responses: { 200: json(session) },
    }),
    (context) => {
      const { user, place } = context.var
      return context.json(
        {
          user: user.name,
          roles: user.roles,
          version: donecheckVersion,
          place: place.store.place,
          canStart: place.launcher !== null,
        },
        200,
      )
    },
  )
  .openapi(
    route('read', {
      method: 'get',
      path: '/api/questions',
      summary:
        'Open questions; with `wait`, answers when they are others than those `known`, or when the time is over',
      request: {
        query: z.strictObject({
          wait: wholeWithin(0, maxWaitSeconds).default(0),
          known: z.string().max(20_000).default(''),
        }),
      },
      responses: { 200: json(z.object({ questions: list(question) })) },
    }),
    async (context) => {
      const { place } = context.var
      const { wait, known } = context.req.valid('query')
      const questions = await place.store.openQuestions()
      if (wait === 0 || areOthers(questions, known)) return context.json({ questions }, 200)
      // After the timeout the client asks again.
      const over = AbortSignal.any([context.req.raw.signal, AbortSignal.timeout(wait * 1000)])
      return context.json({ questions: await otherQuestions(place, known, over) }, 200)
    },
  )
  .openapi(
    route('approve', {
      method: 'post',
      path: '/api/questions/{id}/answer',
      summary: 'Answers a question; the first answer holds, the same again changes nothing',
      request: {
        params: withId,
        body: body(answerRequest),
      },
      responses: { 200: json(question) },
    }),
    async (context) => {
      const { place, user } = context.var
      const { id } = context.req.valid('param')
      const answer = { ...context.req.valid('json'), by: user.name, answeredAtMs: place.nowMs() }
      const result = await place.store.answerQuestion(id, answer)
      const answered = await place.store.question(id)
      if (result.kind === 'unknown' || answered === undefined)
        throw new Problem(
          'not-found',
          `there is no question ${JSON.stringify(id)}; GET /api/questions has those that are open`,
        )
      if (result.kind === 'withdrawn') throw new Problem('conflict', 'its run no longer waits for an answer')
      if (result.kind === 'taken')
        throw new Problem(
          'conflict',
          `${result.answer.by} was first and said ${result.answer.approved ? 'yes' : 'no'}; the first answer holds`,
        )
      return context.json(answered, 200)
    },
  )

async function otherQuestions(
  { changes, store }: Workplace,
  known: string,
  over: AbortSignal,
): Promise<readonly KeptQuestion[]> {
  const news = bell(over)
  const stop = await changes.listen(news.ring)
  try {
    for (;;) {
      const questions = await store.openQuestions()
      if (over.aborted || areOthers(questions, known)) return questions
      await news.rung()
    }
  } finally {
    stop()
  }
}

function areOthers(questions: readonly KeptQuestion[], known: string): boolean {
  const ids = new Set(known.split(',').filter((id) => id !== ''))
  return questions.length !== ids.size || questions.some(({ id }) => !ids.has(id))
}
