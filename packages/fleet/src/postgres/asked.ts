/** What people are asked, what they ask of runs, and long texts that runs attach. */
import { randomUUID } from 'node:crypto'
import {
  answerTo,
  attachmentOf,
  goalRequestOfRow,
  goalRequestText,
  isOpenQuestion,
  questionOfText,
  questionToKeep,
} from '@donecheck/engine/store/parts'
import { rowOf } from '@donecheck/engine/store'
import type { KeptQuestion, Questions } from '@donecheck/engine/ports/questions'
import type { Attachments, GoalRequests } from '@donecheck/engine/ports/store'
import type { Database, Rows } from './connection.ts'

const questionRow = { json: 'text' } as const
const digestRow = { digest: 'text' } as const

/** @param changed is called when something was written */
export function postgresQuestions({ rows: ask, locked }: Database, changed: () => void): Questions {
  async function find(rows: Rows, id: string): Promise<KeptQuestion | undefined> {
    const [row] = await rows('SELECT json FROM donecheck.questions WHERE id = $1', [id])
    return row === undefined ? undefined : questionOfText(rowOf(questionRow, row).json)
  }

  /** What the work makes of the question is kept, if it makes anything of it. */
  async function change<Value>(
    id: string,
    work: (before: KeptQuestion | undefined) => { readonly result: Value; readonly changed?: KeptQuestion },
  ): Promise<Value> {
    const value = await locked(`question ${id}`, async (rows) => {
      const decided = work(await find(rows, id))
      if (decided.changed !== undefined) await keep(rows, decided.changed)
      return decided.result
    })
    changed()
    return value
  }

  return {
    keepQuestion: (asked) =>
      change(asked.id, (before) => {
        const question = questionToKeep(before, asked)
        return { result: question, ...(question === before ? {} : { changed: question }) }
      }),
    question: (id) => find(ask, id),
    async openQuestions() {
      const found = await ask(
        'SELECT json FROM donecheck.questions WHERE is_open = 1 ORDER BY asked_at_ms, id',
      )
      return found.flatMap((row) => questionOfText(rowOf(questionRow, row).json) ?? [])
    },
    answerQuestion: (id, answer) => change(id, (question) => answerTo(question, answer)),
    withdrawQuestion: (id) =>
      change(id, (question) => ({
        result: undefined,
        ...(question !== undefined && isOpenQuestion(question)
          ? { changed: { ...question, isWithdrawn: true } }
          : {}),
      })),
  }
}

async function keep(rows: Rows, question: KeptQuestion): Promise<void> {
  const { id, runId, askedAtMs } = question
  await rows(
    `INSERT INTO donecheck.questions (id, run_id, asked_at_ms, is_open, json) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (tenant, id) DO UPDATE SET is_open = excluded.is_open, json = excluded.json`,
    [id, runId, askedAtMs, Number(isOpenQuestion(question)), JSON.stringify(question)],
  )
  await rows('UPDATE donecheck.runs SET changed = DEFAULT WHERE run_id = $1', [runId])
}

const numberRow = { number: 'number' } as const

export function postgresGoalRequests({ rows: ask, locked }: Database): GoalRequests {
  return {
    keepGoalRequest(runId, wanted, answered = 0) {
      const text = goalRequestText(wanted)
      // Where the answer to it was lost, it is found again by this and not asked for twice.
      const request = randomUUID()
      return locked('goal requests', async (rows) => {
        const [known] = await rows('SELECT number FROM donecheck.goal_requests WHERE request = $1', [request])
        const [row = known] =
          known === undefined
            ? await rows(
                `INSERT INTO donecheck.goal_requests (number, run_id, json, request)
                 SELECT greatest(coalesce(max(number), 0), $1::integer) + 1, $2, $3, $4 FROM donecheck.goal_requests
                 RETURNING number`,
                [answered, runId, text, request],
              )
            : []
        return rowOf(numberRow, row).number
      })
    },
    async goalRequests(runId, after) {
      const found = await ask(
        'SELECT number, json FROM donecheck.goal_requests WHERE run_id = $1 AND number > $2 ORDER BY number',
        [runId, after],
      )
      return found.flatMap((row) => goalRequestOfRow(runId, row))
    },
  }
}

export function postgresAttachments({ rows }: Database): Attachments {
  return {
    async attach(runId, { digest, content }) {
      await rows(
        'INSERT INTO donecheck.attachments (run_id, digest, json) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        [runId, digest, JSON.stringify(content)],
      )
    },
    async attachment(runId, digest) {
      const [row] = await rows(
        'SELECT digest, json FROM donecheck.attachments WHERE run_id = $1 AND digest = $2',
        [runId, digest],
      )
      return row === undefined ? undefined : attachmentOf(row)
    },
    async attachmentsOf(runId) {
      const sql = 'SELECT digest, json FROM donecheck.attachments WHERE run_id = $1 ORDER BY digest'
      return (await rows(sql, [runId])).map(attachmentOf)
    },
    async attachmentDigests(runId) {
      const sql = 'SELECT digest FROM donecheck.attachments WHERE run_id = $1 ORDER BY digest'
      return (await rows(sql, [runId])).map((row) => rowOf(digestRow, row).digest)
    },
    async detach(runId, digests) {
      await rows('DELETE FROM donecheck.attachments WHERE run_id = $1 AND digest = ANY($2)', [runId, digests])
    },
  }
}
