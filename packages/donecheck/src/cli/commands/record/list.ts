import { plural } from '@donecheck/core/base'
import { checksOnly } from '@donecheck/core/settings'
import { outcomes } from '@donecheck/core/transitions'
import { given, UsageError } from '@donecheck/engine/base'
import type { RunSummary, Store } from '@donecheck/engine/ports/store'
import { waitText } from '@donecheck/engine/report'
import type { CliIo } from '../../process/io.ts'
import { withStore } from '../../settings/settings.ts'
import type { StoreFlags } from '../../options/flags.ts'
import { listLines } from '../../output/list-text.ts'
import { columnsOf, paintLines } from '../../output/painter.ts'

export interface ListFlags extends StoreFlags {
  readonly label?: readonly string[]
  readonly outcome?: string
  /** Verifications and baselines too. */
  readonly all?: boolean
  readonly limit?: number
}

const usualLimit = 20

/** Programs get all that is not filtered out; people the latest runs, and a word on what else there is. */
export async function listCommand({ label = [], outcome, ...flags }: ListFlags, io: CliIo): Promise<number> {
  if (outcome !== undefined && outcomes.every((known) => known !== outcome))
    throw new UsageError(`--outcome ${outcome}: no run ends so; the outcomes are ${outcomes.join(', ')}`)
  return withStore(flags, io, async (store) => {
    const stored = await store.list()
    const wanted = stored.filter(
      (run) =>
        label.every((name) => run.labels.includes(name)) &&
        (outcome === undefined || run.outcome === outcome),
    )
    if (flags.json === true) {
      const runs = wanted.slice(0, flags.limit)
      const waits = await findWaits(runs, store)
      const withWaits = runs.map((run) => ({ ...run, ...given({ waiting: waits.get(run.runId) }) }))
      io.stdout.write(`${JSON.stringify(withWaits)}\n`)
      return 0
    }
    const isListed = (run: RunSummary) => flags.all === true || run.drive !== checksOnly
    const listed = wanted.filter(isListed)
    const shown = listed.slice(0, flags.limit ?? usualLimit)
    const lines = listLines(shown, {
      ids: stored.map(({ runId }) => runId),
      nowMs: Date.now(),
      columns: io.stdout.isTTY ? columnsOf(io.stdout) : undefined,
      waits: await findWaits(shown, store),
    })
    const left = [
      ...notShown(listed.length - shown.length, 'older run', '--limit'),
      ...notShown(wanted.length - listed.length, '`verify` run', '--all'),
    ]
    const head = shown.length === 0 ? [`no runs in ${store.place}`] : []
    const words = [...head, ...left].map((text) => ({ tone: 'quiet' as const, text }))
    io.stdout.write(`${paintLines([...lines, ...words], io)}\n`)
    return 0
  })
}

/** By run: what those wait for whose latest event says so. */
async function findWaits(
  runs: readonly RunSummary[],
  store: Pick<Store, 'readAfter'>,
): Promise<ReadonlyMap<string, string>> {
  const waits = new Map<string, string>()
  for (const { runId, outcome, events } of runs) {
    const [latest] = outcome === undefined ? await store.readAfter(runId, events - 1, 1) : []
    if (latest?.type === 'wait-started') waits.set(runId, waitText(latest))
  }
  return waits
}

function notShown(count: number, noun: string, flag: string): readonly string[] {
  return count === 0 ? [] : [`${plural(count, noun)} not shown (${flag})`]
}
