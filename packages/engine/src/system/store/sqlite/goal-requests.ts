import type { DatabaseSync } from 'node:sqlite'
import type { GoalRequests, KeptGoalRequest } from '../../../ports/store.ts'
import type { Attempt } from '../attempt.ts'
import { goalRequestOfText, goalRequestText } from '../goal-request-text.ts'
import { rowOf } from './row.ts'

const requestRow = { number: 'number', json: 'text' } as const

export function sqliteGoalRequests(database: DatabaseSync, attempt: Attempt): GoalRequests {
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
