import type { DatabaseSync } from 'node:sqlite'
import type { KeptQuestion } from '../../../ports/questions.ts'
import { isOpenQuestion, questionOfText, type QuestionTable } from '../kept-questions.ts'
import { rowOf } from './row.ts'
import type { Transactions } from './transactions.ts'

const questionRow = { json: 'text' } as const

export function sqliteQuestionTable(database: DatabaseSync, transactions: Transactions): QuestionTable {
  const selectOne = database.prepare('SELECT json FROM questions WHERE id = ?')
  const selectOpen = database.prepare('SELECT json FROM questions WHERE is_open = 1 ORDER BY asked_at_ms, id')
  const upsert = database.prepare(`
    INSERT INTO questions (id, run_id, asked_at_ms, is_open, json) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET is_open = excluded.is_open, json = excluded.json
  `)

  const questionOf = (row: unknown): KeptQuestion | undefined => questionOfText(rowOf(questionRow, row).json)

  return {
    atomically: (work) => transactions.write(work),
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
