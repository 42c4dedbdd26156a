/** Appends of many runs at once share an exchange with the server, and with it a commit. */
import { appendRows, type AppendRow } from './append-statements.ts'
import { isLost, type Database } from './connection.ts'

interface Waiting {
  readonly row: AppendRow
  readonly answered: (isDone: boolean) => void
  readonly failed: (error: unknown) => void
}

/** Exchanges under way; what comes meanwhile waits for the next one. */
const maxExchanges = 4
/** Of one exchange: the last of them waits for the first. */
const maxRows = 32

/** All of a row or nothing of it, and whether it was done; a row that is refused is refused alone. */
export function appendQueue(database: Database): (row: AppendRow) => Promise<boolean> {
  let waiting: Waiting[] = []
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
      const done = await appendRows(
        database,
        batch.map(({ row }) => row),
      )
      for (const { row, answered } of batch) answered(done.has(row.events[0].runId))
    } catch (error) {
      // Of several, the server takes back all for the fault of one. Nobody knows what became of those whose connection was lost.
      if (batch.length === 1 || isLost(error)) for (const { failed } of batch) failed(error)
      else for (const one of batch) await settle([one])
    }
  }

  /** Two of one run never share an exchange: the second would be asked of the run as it was before the first. */
  function next(): readonly Waiting[] {
    const batch = new Map<string, Waiting>()
    for (const one of waiting) if (batch.size < maxRows && !batch.has(runOf(one))) batch.set(runOf(one), one)
    waiting = waiting.filter((one) => batch.get(runOf(one)) !== one)
    return [...batch.values()]
  }

  function begin(): void {
    while (waiting.length > 0 && exchanges < maxExchanges) void exchange(next())
  }

  return (row) =>
    new Promise((answered, failed) => {
      waiting.push({ row, answered, failed })
      begin()
    })
}

function runOf({ row }: Waiting): string {
  return row.events[0].runId
}
