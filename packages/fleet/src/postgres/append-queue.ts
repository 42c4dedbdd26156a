/** Appends of many runs at once share an exchange with the server, and with it a commit. */
import { isLost, type Database } from './connection.ts'

/** What `donecheck.append` takes. */
export interface AppendRow {
  readonly the_run: string
  readonly expected: number
  readonly lease_key: string | null
  readonly lease_fence: number | null
  readonly sequences: readonly number[]
  readonly times: readonly number[]
  readonly types: readonly string[]
  readonly texts: readonly string[]
  readonly summary: object | null
  readonly host_session: object | null
}

/** What `donecheck.append` answers. Null: it is done. */
export type Refusal = number | null

interface Waiting {
  readonly row: AppendRow
  readonly answered: (refusal: Refusal) => void
  readonly failed: (error: unknown) => void
}

/** Exchanges under way; what comes meanwhile waits for the next one. */
const maxExchanges = 4
/** Of one exchange: the last of them waits for the first. */
const maxRows = 32

/** All of a row or nothing of it; a row that is refused is refused alone. */
export function appendQueue({ ask }: Pick<Database, 'ask'>): (row: AppendRow) => Promise<Refusal> {
  const waiting: Waiting[] = []
  let exchanges = 0

  async function exchange(batch: readonly Waiting[]): Promise<void> {
    exchanges += 1
    try {
      await settle(batch)
    } finally {
      exchanges -= 1
      begin()
    }
  }

  async function settle(batch: readonly Waiting[]): Promise<void> {
    try {
      const refusals = await askAll(batch.map(({ row }) => row))
      batch.forEach(({ answered }, index) => answered(refusals[index] ?? null))
    } catch (error) {
      // Of several, the server takes back all for the fault of one. Nobody knows what became of those whose connection was lost.
      if (batch.length === 1 || isLost(error)) for (const { failed } of batch) failed(error)
      else for (const one of batch) await settle([one])
    }
  }

  async function askAll(rows: readonly AppendRow[]): Promise<readonly Refusal[]> {
    const answers = await ask(appendAll, [JSON.stringify(rows.map((row, number) => ({ number, ...row })))])
    const refusals = new Map(answers.map(({ number, refusal }) => [number, refusal]))
    return rows.map((_, index) => {
      const refusal = refusals.get(index)
      return typeof refusal === 'number' ? refusal : null
    })
  }

  function begin(): void {
    while (waiting.length > 0 && exchanges < maxExchanges) void exchange(waiting.splice(0, maxRows))
  }

  return (row) =>
    new Promise((answered, failed) => {
      waiting.push({ row, answered, failed })
      begin()
    })
}

/** Runs in the same order for everybody, so that no two wait for each other. */
const appendAll = `
  SELECT number, donecheck.append(
    the_run, expected, lease_key, lease_fence, sequences, times, types, texts, summary, host_session
  ) AS refusal
  FROM (
    SELECT * FROM json_to_recordset($1) AS given(
      number integer, the_run text, expected integer, lease_key text, lease_fence integer,
      sequences integer[], times float8[], types text[], texts text[], summary json, host_session json
    ) ORDER BY the_run, number
  ) AS ordered`
