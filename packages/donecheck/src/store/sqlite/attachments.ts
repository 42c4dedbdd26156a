import type { DatabaseSync } from 'node:sqlite'
import type { Attachment, Attachments } from '../../ports.ts'
import type { Attempt } from '../attempt.ts'
import { rowOf } from './row.ts'

const attachmentRow = { digest: 'text', json: 'text' } as const

/** Contents lie as JSON texts: a text column cannot hold NUL or half a character, and outputs may have both. */
export function sqliteAttachments(database: DatabaseSync, attempt: Attempt): Attachments {
  const insert = database.prepare(
    'INSERT INTO attachments (run_id, digest, json) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const selectOne = database.prepare('SELECT digest, json FROM attachments WHERE run_id = ? AND digest = ?')
  const selectAll = database.prepare('SELECT digest, json FROM attachments WHERE run_id = ? ORDER BY digest')

  return {
    attach: (runId, { digest, content }) =>
      attempt(() => void insert.run(runId, digest, JSON.stringify(content))),
    attachment: (runId, digest) =>
      attempt(() => {
        const row = selectOne.get(runId, digest)
        return row === undefined ? undefined : attachmentOf(row)
      }),
    attachmentsOf: (runId) => attempt(() => selectAll.all(runId).map(attachmentOf)),
  }
}

function attachmentOf(row: unknown): Attachment {
  const { digest, json } = rowOf(attachmentRow, row)
  const content: unknown = JSON.parse(json)
  if (typeof content !== 'string') throw new TypeError(`what is attached as ${digest} is no text`)
  return { digest, content }
}
