import { z } from 'zod'
import { amendmentScopes } from '@donecheck/core/internal/events/gate'
import { donecheckVersion } from '@donecheck/engine/internal/base'
import type { KeptQuestion } from '@donecheck/engine/internal/ports/questions'
import { roles } from '../../access/index.ts'
import { createWakeSignal } from '../../live/index.ts'
import { body, json, route, routes } from '../route.ts'
import { withJsonSchema, epochMs, list, Problem, text, integerBetween, withId } from '../shapes.ts'
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

const answerRequest = withJsonSchema(
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
  storePath: text,
  canStart: z.boolean().describe('false if the service is read-only'),
})
export type Session = z.output<typeof session>

/** Below the 55 seconds after which some proxies drop a request. */
const maxWaitSeconds = 50

export const questionRoutes = routes()
  .openapi(
    route('read', {
      method: 'get',
      path: '/api/session',
      summary: 'The current user, their roles, and the path of the store',
      responses: { 200: json(session) },
    }),
    (context) => {
      const { user, workplace: workplace } = context.var
      return context.json(
        {
          user: user.name,
          roles: user.roles,
          version: donecheckVersion,
          storePath: workplace.store.place,
          canStart: workplace.launcher !== null,
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
        'Open questions; with `wait`, responds when they differ from `known`, or after that many seconds',
      request: {
        query: z.strictObject({
          wait: integerBetween(0, maxWaitSeconds).default(0),
          known: z.string().max(20_000).default(''),
        }),
      },
      responses: { 200: json(z.object({ questions: list(question) })) },
    }),
    async (context) => {
      const { workplace: workplace } = context.var
      const { wait, known } = context.req.valid('query')
      const questions = await workplace.store.openQuestions()
      if (wait === 0 || haveChanged(questions, known)) return context.json({ questions }, 200)
      // After the timeout the client asks again.
      const over = AbortSignal.any([context.req.raw.signal, AbortSignal.timeout(wait * 1000)])
      return context.json({ questions: await waitForChange(workplace, known, over) }, 200)
    },
  )
  .openapi(
    route('approve', {
      method: 'post',
      path: '/api/questions/{id}/answer',
      summary: 'Answers a question; the first answer wins, and repeating it changes nothing',
      request: {
        params: withId,
        body: body(answerRequest),
      },
      responses: { 200: json(question) },
    }),
    async (context) => {
      const { workplace: workplace, user } = context.var
      const { id } = context.req.valid('param')
      const answer = { ...context.req.valid('json'), by: user.name, answeredAtMs: workplace.nowMs() }
      const result = await workplace.store.answerQuestion(id, answer)
      const answered = await workplace.store.question(id)
      if (result.kind === 'unknown' || answered === undefined)
        throw new Problem(
          'not-found',
          `No question ${JSON.stringify(id)}. GET /api/questions lists the open ones.`,
        )
      if (result.kind === 'withdrawn') throw new Problem('conflict', 'The run no longer waits for an answer.')
      if (result.kind === 'taken')
        throw new Problem(
          'conflict',
          `${result.answer.by} already ${result.answer.approved ? 'approved' : 'denied'} it.`,
        )
      return context.json(answered, 200)
    },
  )

async function waitForChange(
  { changes, store }: Workplace,
  knownIds: string,
  over: AbortSignal,
): Promise<readonly KeptQuestion[]> {
  const wakeSignal = createWakeSignal(over)
  const stop = await changes.listen(wakeSignal.wake)
  try {
    for (;;) {
      const questions = await store.openQuestions()
      if (over.aborted || haveChanged(questions, knownIds)) return questions
      await wakeSignal.waitForWake()
    }
  } finally {
    stop()
  }
}

function haveChanged(questions: readonly KeptQuestion[], knownIds: string): boolean {
  const ids = new Set(knownIds.split(',').filter((id) => id !== ''))
  return questions.length !== ids.size || questions.some(({ id }) => !ids.has(id))
}
