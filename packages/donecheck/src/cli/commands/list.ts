import type { RunSummary } from '@donecheck/engine/ports/store'
import { oneLine } from '@donecheck/engine/report'
import type { CliIo } from '../process/io.ts'
import { withStore } from '../settings/open-store.ts'
import type { StoreFlags } from '../options/flags.ts'

export interface ListFlags extends StoreFlags {
  readonly label?: readonly string[]
}

export async function listCommand({ label = [], ...flags }: ListFlags, io: CliIo): Promise<number> {
  return withStore(flags, io, async (store) => {
    const runs = (await store.list()).filter(({ labels }) => label.every((name) => labels.includes(name)))
    if (flags.json === true) io.stdout.write(`${JSON.stringify(runs)}\n`)
    else io.stdout.write(runs.length === 0 ? `no runs in ${store.place}\n` : runs.map(lineOf).join(''))
    return 0
  })
}

function lineOf(run: RunSummary): string {
  const { runId, startedAtMs, outcome, reason, cap, detector, task, imported, labels } = run
  const by = cap ?? detector
  const why = `${reason ?? ''}${by === undefined ? '' : `: ${oneLine(by, 40)}`}`
  const own = outcome === undefined ? 'not ended' : `${outcome} (${why})`
  const end = imported === true ? `imported: ${own}` : own
  const started = new Date(startedAtMs).toISOString().slice(0, 19).replace('T', ' ')
  const named = labels.map((label) => ` [${oneLine(label, 80)}]`).join('')
  return `${runId}  ${started}  ${end.padEnd(28)}  ${oneLine(task, 60)}${named}\n`
}
