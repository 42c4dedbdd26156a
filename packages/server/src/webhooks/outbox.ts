import { openDatabase, rowOf } from '@donecheck/engine/store'
import type { Message } from './message.ts'

interface ClaimedMessage extends Message {
  readonly attempts: number
  readonly keptAtMs: number
}

/** Stores messages on disk until they are sent. */
export interface Outbox {
  readonly beganMs: number
  mark: number
  /** Ignores a message that is already stored. */
  keep(message: Message, nowMs: number): void
  /** Returns a due message, exclusive to this caller until `untilMs`. */
  claim(url: string, nowMs: number, untilMs: number): ClaimedMessage | undefined
  /** Sets when to retry, or null if the message was delivered or dropped. */
  postpone(id: string, dueMs: number | null): void
  giveUp(url: string): void
  close(): void
}

const steps = [
  `CREATE TABLE progress (began_ms INTEGER NOT NULL, mark INTEGER NOT NULL) STRICT;
  -- due_ms is null if the message is never retried.
  CREATE TABLE messages (
    id TEXT PRIMARY KEY, url TEXT NOT NULL, body TEXT NOT NULL,
    kept_ms INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, due_ms INTEGER
  ) STRICT;
  CREATE INDEX messages_by_due ON messages (url, due_ms) WHERE due_ms IS NOT NULL;`,
]

const progressRow = { began_ms: 'number', mark: 'number' } as const
const messageRow = { id: 'text', url: 'text', body: 'text', attempts: 'number', kept_ms: 'number' } as const

/**
 * @param start initial progress of a new outbox
 * @param forgetBeforeMs deletes finished messages stored before this time
 */
export function openOutbox(
  file: string,
  start: { readonly beganMs: number; readonly mark: number },
  forgetBeforeMs: number,
): Outbox {
  const database = openDatabase(file, { steps })
  database
    .prepare('INSERT INTO progress SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM progress)')
    .run(start.beganMs, start.mark)
  database.prepare('DELETE FROM messages WHERE due_ms IS NULL AND kept_ms < ?').run(forgetBeforeMs)
  const progress = rowOf(progressRow, database.prepare('SELECT began_ms, mark FROM progress').get())
  const insert = database.prepare(
    'INSERT OR IGNORE INTO messages (id, url, body, kept_ms, due_ms) VALUES (?, ?, ?, ?, ?)',
  )
  const claimDue = database.prepare(
    `UPDATE messages SET due_ms = ?, attempts = attempts + 1
     WHERE id = (SELECT id FROM messages WHERE url = ? AND due_ms <= ? ORDER BY due_ms, kept_ms LIMIT 1)
     RETURNING id, url, body, attempts, kept_ms`,
  )
  const setDue = database.prepare('UPDATE messages SET due_ms = ? WHERE id = ?')
  const setMark = database.prepare('UPDATE progress SET mark = ?')
  const giveUpAll = database.prepare('UPDATE messages SET due_ms = NULL WHERE url = ?')
  let { mark } = progress
  return {
    beganMs: progress.began_ms,
    get mark() {
      return mark
    },
    set mark(latest) {
      setMark.run(latest)
      mark = latest
    },
    keep: ({ id, url, body }, nowMs) => void insert.run(id, url, body, nowMs, nowMs),
    claim(url, nowMs, untilMs) {
      const row = claimDue.get(untilMs, url, nowMs)
      if (row === undefined) return undefined
      const { id, body, attempts, kept_ms: keptAtMs } = rowOf(messageRow, row)
      return { id, url, body, attempts, keptAtMs }
    },
    postpone: (id, dueMs) => void setDue.run(dueMs, id),
    giveUp: (url) => void giveUpAll.run(url),
    close: () => database.close(),
  }
}
