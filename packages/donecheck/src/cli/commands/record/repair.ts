/** `resume --repair`: moves events that cannot be read into a file, so that the run can be resumed. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '@donecheck/engine/base'
import type { Store } from '@donecheck/engine/ports/store'
import { isAlive, thisHolder } from '@donecheck/engine/process'
import { keepLease, systemClock } from '@donecheck/engine/run'
import { findRun } from '../../settings/recipe.ts'
import type { CliIo } from '../../process/io.ts'
import { withStore } from '../../settings/settings.ts'
import type { StoreFlags } from '../../options/flags.ts'

export async function repairCommand(wanted: string, flags: StoreFlags, io: CliIo): Promise<number> {
  return withStore(flags, io, async (store) => {
    const runId = await findRun(store, wanted)
    const holder = thisHolder(`repair of run ${runId}`)
    const isDead = (other: typeof holder) => isAlive(other) === 'dead'
    // Keeps others from resuming it meanwhile.
    const held = await keepLease({ name: `run ${runId}`, holder, leases: store, isDead })
    try {
      io.stderr.write(`${await repair(runId, store, io)}\n`)
      return 0
    } finally {
      await held.release()
    }
  })
}

/** @throws {UsageError} if not even the first event can be read */
async function repair(runId: string, store: Store, io: CliIo): Promise<string> {
  const { events, problem } = await store.readAsFar(runId)
  if (problem === undefined)
    return `all ${events.length} events of run ${runId} can be read: nothing is to be done`
  if (events.length === 0)
    throw new UsageError(`${problem.message}, and nothing comes before it: the run cannot be repaired`)
  const folder = join(store.folder ?? io.currentFolder, 'cut-off')
  const file = join(folder, `${runId}-from-${problem.sequence}-${systemClock.nowMs()}.jsonl`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  await store.cutOff(runId, problem.sequence, (texts) =>
    writeFileSync(file, texts.map((text) => `${text}\n`).join(''), { flag: 'wx', mode: 0o600 }),
  )
  return `${problem.message}; from there on it was put into ${file}, and ${events.length} events are left`
}
