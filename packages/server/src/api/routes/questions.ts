import { z } from 'zod'
import type { KeptQuestion } from '@donecheck/engine/internal/ports/questions'
import { bell } from '../../live/index.ts'
import { Problem, get, post, type Call, noQuery } from '../route.ts'
import { wholeWithin, answerRequest, question, questionList, text } from '../shapes.ts'
import { donecheckVersion } from '@donecheck/engine/internal/base'
import { roles } from '../../access/index.ts'

/** Below the 55 seconds after which hosts drop a request. */
const maxWaitSeconds = 50

const questionQuery = z.strictObject({
  wait: wholeWithin(0, maxWaitSeconds).default(0),
  known: z.string().max(20_000).default(''),
})

const openQuestions = get({
  path: '/api/questions',
  role: 'read',
  summary:
    'Open questions; with `wait`, answers when they are others than those `known`, or when the time is over',
  query: questionQuery,
  answers: questionList,
  async handle(call) {
    const questions = await call.place.store.openQuestions()
    const { wait, known } = call.query
    if (wait === 0 || isNews(questions, known)) return { questions }
    return { questions: await otherQuestions(call, wait, known) }
  },
})

/** After the timeout the client asks again. */
async function otherQuestions(
  { place: { changes, store }, signal }: Pick<Call<unknown, unknown>, 'place' | 'signal'>,
  waitSeconds: number,
  known: string,
): Promise<readonly KeptQuestion[]> {
  const timeout = AbortSignal.timeout(waitSeconds * 1000)
  const over = AbortSignal.any([signal, timeout])
  const news = bell(over)
  const stop = await changes.listen(news.ring)
  try {
    for (;;) {
      const questions = await store.openQuestions()
      if (over.aborted || isNews(questions, known)) return questions
      await news.rung()
    }
  } finally {
    stop()
  }
}

function isNews(questions: readonly KeptQuestion[], known: string): boolean {
  const ids = new Set(known.split(',').filter((id) => id !== ''))
  return questions.length !== ids.size || questions.some(({ id }) => !ids.has(id))
}

const answerQuestion = post({
  path: '/api/questions/:id/answer',
  role: 'approve',
  summary: 'Answers a question; the first answer holds, the same again changes nothing',
  body: answerRequest,
  answers: question,
  async handle({ place: { store, nowMs }, id, user, body: { approved, scope, reason = '' } }) {
    const given = {
      approved,
      by: user.name,
      reason,
      answeredAtMs: nowMs(),
      ...(scope === undefined ? {} : { scope }),
    }
    const result = await store.answerQuestion(id, given)
    switch (result.kind) {
      case 'answered':
        return store.question(id)
      case 'taken':
        throw new Problem(
          'conflict',
          `${result.answer.by} was first and said ${result.answer.approved ? 'yes' : 'no'}; the first answer holds`,
        )
      case 'withdrawn':
        throw new Problem('conflict', 'its run no longer waits for an answer')
      case 'unknown':
        throw new Problem(
          'not-found',
          `there is no question ${JSON.stringify(id)}; GET /api/questions has those that are open`,
        )
    }
  },
})

export const questionRoutes = [openQuestions, answerQuestion]

const session = get({
  path: '/api/session',
  role: 'read',
  summary: 'Who is asking, what they may do, and of which store',
  query: noQuery,
  answers: z.object({
    user: text,
    roles: z.array(z.enum(roles)),
    version: text,
    place: text,
    canStart: z.boolean().describe('false: the service only shows runs'),
  }),
  handle: async ({ user, place: { store, launcher } }) =>
    Promise.resolve({
      user: user.name,
      roles: [...user.roles],
      version: donecheckVersion,
      place: store.place,
      canStart: launcher !== null,
    }),
})

export const sessionRoutes = [session]
