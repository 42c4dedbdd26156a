/** `donecheck tiers`: what would end the work here, tier by tier. */
import { existsSync } from 'node:fs'
import type { Store } from '@donecheck/engine/ports/store'
import { memoryStore } from '@donecheck/engine/store'
import { loadHookedAgent } from '../../agents/agent-adapters.ts'
import { reportFailure } from '../../process/failure.ts'
import { knownColumns, type CliIo } from '../../process/io.ts'
import type { RunFlags } from '../../options/flags.ts'
import { paintLines } from '../../output/wrap.ts'
import { tiersLines } from '../../output/tiers-text.ts'
import { resolveSettings } from '../../settings/settings.ts'
import { openStore, isDatabase, storeFolderOf } from '../../settings/store-folder.ts'
import { resolveWorkFolder } from '../../settings/work-folder.ts'
import { recordedCosts, tiersReport } from '../../tiers/tiers-of.ts'
import { hookedSettings, subjectOfAgent, subjectOfRun } from '../../tiers/subject.ts'
import type { TiersReport } from '../../tiers/tier.ts'

interface TiersFlags extends RunFlags {
  /** Whose hooks, instead of a run. */
  readonly agent?: string
}

/** Longer lines are hard to read, however wide the terminal is. */
const widest = 80

/** Exits with 0 whatever it tells. */
export async function tiersCommand({ agent, json, ...flags }: TiersFlags, io: CliIo): Promise<number> {
  try {
    const report = agent === undefined ? await ofRun(flags, io) : await ofAgent(agent, flags, io)
    const width = Math.min(knownColumns(io.stdout, widest), widest)
    const text = json === true ? JSON.stringify(report) : paintLines(tiersLines(report, width), io)
    io.stdout.write(`${text}\n`)
    return 0
  } catch (error) {
    return reportFailure(error, json === true, io)
  }
}

async function ofRun(flags: RunFlags, io: CliIo): Promise<TiersReport> {
  resolveWorkFolder(flags.workdir, io)
  const settings = await resolveSettings(flags, io)
  return withRecord(settings.config.store, settings.workFolder, io, async (store) =>
    tiersReport(await subjectOfRun(settings, store, io), await recordedCosts(store)),
  )
}

async function ofAgent(name: string, flags: RunFlags, io: CliIo): Promise<TiersReport> {
  const agent = await loadHookedAgent(name)
  const settings = await hookedSettings(agent, flags, resolveWorkFolder(flags.workdir, io), io)
  const named = flags.store ?? settings.storeFolder ?? settings.config.store
  return withRecord(named, settings.workFolder, io, async (store) =>
    tiersReport(await subjectOfAgent(settings, store, io), await recordedCosts(store)),
  )
}

/** Whoever only looks begins no record. */
async function withRecord<Value>(
  named: string | undefined,
  workFolder: string,
  io: CliIo,
  work: (store: Store) => Promise<Value>,
): Promise<Value> {
  const folder = storeFolderOf(named, workFolder, io)
  const isThere = isDatabase(named) || existsSync(folder)
  const store = isThere ? await openStore(named, workFolder, io) : { ...memoryStore(), folder }
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
