/** What people are asked, and what they ask for. */
import type { DatabaseSync } from 'node:sqlite'
import type { KeptQuestion } from '../../../../ports/questions.ts'
import type { GoalRequests, KeptGoalRequest } from '../../../../ports/store.ts'
import { goalRequestOfText, goalRequestText } from '../../texts/goal-request-text.ts'
import { isOpenQuestion, questionOfText, type QuestionTable } from '../../rules/kept-questions.ts'
import { rowOf } from '../database/row.ts'
import type { Door } from '../database/transactions.ts'

const questionRow = { json: 'text' } as const

export function questionTable(database: DatabaseSync): QuestionTable {
  const selectOne = database.prepare('SELECT json FROM questions WHERE id = ?')
  const selectOpen = database.prepare('SELECT json FROM questions WHERE is_open = 1 ORDER BY asked_at_ms, id')
  const upsert = database.prepare(`
    INSERT INTO questions (id, run_id, asked_at_ms, is_open, json) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET is_open = excluded.is_open, json = excluded.json
  `)

  const questionOf = (row: unknown): KeptQuestion | undefined => questionOfText(rowOf(questionRow, row).json)

  return {
    find: (id) => {
      const row = selectOne.get(id)
      return row === undefined ? undefined : questionOf(row)
    },
    keep(question) {
      const { id, runId, askedAtMs } = question
      upsert.run(id, runId, askedAtMs, Number(isOpenQuestion(question)), JSON.stringify(question))
    },
    open: () => selectOpen.all().flatMap((row) => questionOf(row) ?? []),
  }
}

const requestRow = { number: 'number', json: 'text' } as const

export function sqliteGoalRequests({ database, attempt }: Door): GoalRequests {
  const insert = database.prepare(
    'INSERT INTO goal_requests (number, run_id, json) SELECT max(coalesce(max(number), 0), ?) + 1, ?, ? FROM goal_requests',
  )
  const select = database.prepare(
    'SELECT number, json FROM goal_requests WHERE run_id = ? AND number > ? ORDER BY number',
  )

  return {
    keepGoalRequest: (runId, request, answered = 0) =>
      attempt(() => Number(insert.run(answered, runId, goalRequestText(request)).lastInsertRowid)),
    goalRequests: (runId, after) =>
      attempt(() => select.all(runId, after).flatMap((row) => goalRequestOfRow(runId, row))),
  }
}

/** None for one that makes no sense. */
export function goalRequestOfRow(runId: string, row: unknown): readonly KeptGoalRequest[] {
  const { number, json } = rowOf(requestRow, row)
  const request = goalRequestOfText(json)
  return request === undefined ? [] : [{ number, runId, request }]
}
