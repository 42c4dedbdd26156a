import { oneLine } from '../../report/index.ts'
import type { CliIo } from '../io.ts'
import { openStore } from '../open-store.ts'
import type { StoreFlags } from '../options.ts'
import { workFolderOf } from '../settings.ts'

export async function listCommand(flags: StoreFlags, io: CliIo): Promise<number> {
  const store = await openStore(flags.store ?? io.environment['DONECHECK_STORE'], workFolderOf(flags, io), io)
  try {
    const runs = await store.list()
    if (flags.json === true) io.stdout.write(`${JSON.stringify(runs)}\n`)
    else if (runs.length === 0) io.stdout.write(`no runs in ${store.place}\n`)
    for (const run of flags.json === true ? [] : runs) {
      const end = run.outcome === undefined ? 'not ended' : `${run.outcome} (${run.reason ?? ''})`
      const started = new Date(run.startedAtMs).toISOString().slice(0, 19).replace('T', ' ')
      io.stdout.write(`${run.runId}  ${started}  ${end.padEnd(28)}  ${oneLine(run.task, 60)}\n`)
    }
    return 0
  } finally {
    await store.close()
  }
}
