import { assertKnownKeys, assertText, UsageError, type OptionKeys } from '@donecheck/engine/internal/base'
import type { Store, Attachments, GoalRequests } from '@donecheck/engine/internal/ports/store'
import {
  connectTo,
  failureAt,
  usualPatienceMs,
  type DatabaseAddress,
  prepareTables,
  newsOf,
  type Database,
  type Rows,
} from './connection.ts'
import { postgresEventLog } from './event-log.ts'
import {
  postgresRunPages,
  postgresRunRows,
  postgresHostSessions,
  postgresRememberedVerdicts,
} from './run-rows.ts'
import { randomUUID } from 'node:crypto'
import {
  answerTo,
  attachmentOf,
  goalRequestOfRow,
  goalRequestText,
  isOpenQuestion,
  questionOfText,
  questionToKeep,
} from '@donecheck/engine/internal/system/store/parts'
import { rowOf } from '@donecheck/engine/store'
import type { KeptQuestion, Questions } from '@donecheck/engine/internal/ports/questions'
import { postgresLeases } from './leases.ts'

export interface PostgresStoreOptions {
  /** `postgres://user:password@host/database?tenant=NAME`; missing parts come from PGHOST and the like. */
  readonly url: string
  /** Other tenants' runs are invisible. Default: that of the URL, or `default`. */
  readonly tenant?: string
  /**
   * A local folder for large data, such as the guard's baseline trees. Without it a run resumed in another
   * process lacks its baseline, and its checks decide nothing.
   */
  readonly folder?: string
  /** Maximum number of connections, shared by all runs. Default 10. */
  readonly connections?: number
  /** How long an unavailable database is waited for. Default 60 s. */
  readonly patienceMs?: number
}

const postgresStoreKeys: OptionKeys<PostgresStoreOptions> = {
  url: 'needed',
  tenant: true,
  folder: true,
  connections: true,
  patienceMs: true,
}

/**
 * Opens a database shared by many machines, and migrates its tables. Every append is on the server's disk
 * before it is acknowledged.
 * @throws {UsageError} for an invalid URL or tenant
 * @throws {StoreError} if the database refuses, or its tables are newer
 */
export async function postgresStore(options: PostgresStoreOptions): Promise<Store> {
  assertKnownKeys(options, postgresStoreKeys, 'postgresStore')
  const { folder = null, connections = 10, patienceMs = usualPatienceMs } = options
  const address = addressOf(options)
  const database = connectTo(address, patienceMs, connections)
  try {
    await database.patiently(() => prepareTables(address))
  } catch (error) {
    await database.close()
    throw failureAt(address.place, error)
  }
  const news = newsOf(address, database)
  return {
    place: address.place,
    folder,
    onChange: news.listen,
    ...postgresEventLog(database, news.tell),
    ...postgresRunPages(database),
    ...postgresRunRows(database),
    ...postgresLeases(database),
    ...postgresAttachments(database),
    ...postgresGoalRequests(database),
    ...postgresQuestions(database, news.tell),
    ...postgresHostSessions(database),
    ...postgresRememberedVerdicts(database),
    async close() {
      await news.close()
      await database.close()
    },
  }
}

/** Safe in a connection's settings without quoting. */
const tenantForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,47}$/

function addressOf({ url, tenant: named }: PostgresStoreOptions): DatabaseAddress {
  assertText(url, 'url', `an address: postgresStore({ url: 'postgres://host/database' })`)
  if (!isPostgresUrl(url))
    throw new UsageError('url must be an address such as postgres://user@host/database?tenant=NAME')
  const address = new URL(url)
  const tenant = named ?? address.searchParams.get('tenant') ?? 'default'
  if (!tenantForm.test(tenant))
    throw new UsageError(
      `tenant must be a name of at most 48 letters, digits, dots, hyphens and underscores, not ${JSON.stringify(tenant)}`,
    )
  address.searchParams.delete('tenant')
  const shown = new URL(`${address.protocol}//${address.host}${address.pathname}?tenant=${tenant}`)
  shown.username = address.username
  return { url: address.href, tenant, place: shown.href }
}

export function isPostgresUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text)
}

const questionRow = { json: 'text' } as const
const digestRow = { digest: 'text' } as const

/** @param changed is called when something may have been written */
function postgresQuestions({ rows: ask, locked }: Database, changed: () => void): Questions {
  async function find(rows: Rows, id: string): Promise<KeptQuestion | undefined> {
    const [row] = await rows('SELECT json FROM donecheck.questions WHERE id = $1', [id])
    return row === undefined ? undefined : questionOfText(rowOf(questionRow, row).json)
  }

  async function change<Value>(
    id: string,
    work: (before: KeptQuestion | undefined) => { readonly result: Value; readonly changed?: KeptQuestion },
  ): Promise<Value> {
    const value = await locked(`question ${id}`, async (rows) => {
      const decided = work(await find(rows, id))
      if (decided.changed !== undefined) await keepQuestion(rows, decided.changed)
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

async function keepQuestion(rows: Rows, question: KeptQuestion): Promise<void> {
  const { id, runId, askedAtMs } = question
  await rows(
    `INSERT INTO donecheck.questions (id, run_id, asked_at_ms, is_open, json) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (tenant, id) DO UPDATE SET is_open = excluded.is_open, json = excluded.json`,
    [id, runId, askedAtMs, Number(isOpenQuestion(question)), JSON.stringify(question)],
  )
  await rows('UPDATE donecheck.runs SET changed = DEFAULT WHERE run_id = $1', [runId])
}

const numberRow = { number: 'number' } as const

function postgresGoalRequests({ rows: ask, locked }: Database): GoalRequests {
  return {
    keepGoalRequest(runId, wanted, answered = 0) {
      const text = goalRequestText(wanted)
      // Finds the request if its response was lost, so that it is not made twice.
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

function postgresAttachments({ rows }: Database): Attachments {
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
