import type { RunSummary } from '@donecheck/engine/ports/store'
import { oneLine } from '@donecheck/engine/report'
import type { CliIo } from '../process/io.ts'
import { withStore } from '../settings/open-store.ts'
import type { StoreFlags } from '../options/flags.ts'

export async function listCommand(flags: StoreFlags, io: CliIo): Promise<number> {
  return withStore(flags, io, async (store) => {
    const runs = await store.list()
    if (flags.json === true) io.stdout.write(`${JSON.stringify(runs)}\n`)
    else io.stdout.write(runs.length === 0 ? `no runs in ${store.place}\n` : runs.map(lineOf).join(''))
    return 0
  })
}

function lineOf({ runId, startedAtMs, outcome, reason, task, imported }: RunSummary): string {
  const own = outcome === undefined ? 'not ended' : `${outcome} (${reason ?? ''})`
  const end = imported === true ? `imported: ${own}` : own
  const started = new Date(startedAtMs).toISOString().slice(0, 19).replace('T', ' ')
  return `${runId}  ${started}  ${end.padEnd(28)}  ${oneLine(task, 60)}\n`
}
