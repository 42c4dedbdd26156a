import { mkdirSync, writeFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { isAlive, thisHolder } from '@donecheck/engine/internal/system/process'
import { keepLease, systemClock } from '@donecheck/engine/internal/loop/run'
import type { Config } from '../../../config/index.ts'
import { UsageError } from '@donecheck/engine/internal/base'
import type { RunEvent } from '@donecheck/core/internal/events'
import type { AgentLoop } from '@donecheck/engine/internal/loop/compose'
import { conduct } from '../../wiring/loop/conduct.ts'
import { findSummary, configFromRecipe } from '../../settings/recipe.ts'
import type { CliIo } from '../../process/io.ts'
import { settingsWithoutFile } from '../../settings/settings.ts'
import { type Settings, withOpenStore } from '../../settings/store-folder.ts'
import { topUpOfFlags } from '../../wiring/judging/judging-options.ts'
import { outputFormatOf, type RunFlags, type Flags } from '../../options/flags.ts'

type ResumeFlags = RunFlags & Flags<never, 'repair'>

/** Reads everything from the record, so that changes by the agent since have no effect; flags may add. */
export async function resumeCommand(wanted: string, flags: ResumeFlags, io: CliIo): Promise<number> {
  const here = settingsWithoutFile(flags, io)
  const topUp = flags.topUp === undefined ? undefined : topUpOfFlags(flags.topUp)
  return withOpenStore(here, io, async (store) => {
    const { runId, imported } = await findSummary(store, wanted)
    if (flags.repair === true) io.stderr.write(`${await repair(runId, store, io)}\n`)
    const past = await store.read(runId)
    const { config, workFolder } = recordedSettings(past, runId, here)
    // Another user wrote its checks, agent and rules.
    if (imported === true && here.config.yes !== true)
      throw new UsageError(
        `run ${runId} was imported: what it would run comes from the file; look at "donecheck show ${runId} --json", then resume it with --yes`,
      )
    const more = topUp === undefined ? {} : { topUp, by: '--top-up' }
    const begin = (loop: AgentLoop) => loop.resume(runId, more)
    return conduct({ config, workFolder, store, io, past, begin, format: outputFormatOf(flags) })
  })
}

/** Locks the run, so that no other process resumes it. @throws {RunHeldError} while it is active */
export async function whileHeld<Value>(
  store: Store,
  runId: string,
  why: string,
  work: () => Value | Promise<Value>,
): Promise<Value> {
  const held = await keepLease({
    name: `run ${runId}`,
    holder: thisHolder(`${why} ${runId}`),
    leases: store,
    isDead: (other) => isAlive(other) === 'dead',
  })
  try {
    return await work()
  } finally {
    await held.release()
  }
}

/** Moves events that cannot be read into a file. @throws {UsageError} if not even the first event can be read */
function repair(runId: string, store: Store, io: CliIo): Promise<string> {
  return whileHeld(store, runId, 'repair', async () => {
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
  })
}

/** Settings that may differ on resume. */
const ofThisProcess = ['store', 'allowConcurrent', 'yes', 'approval', 'trace'] as const

export function recordedSettings(past: readonly RunEvent[], runId: string, here: Settings) {
  const [first] = past
  if (first?.type !== 'run-started') throw new UsageError(`run ${runId} has no beginning`)
  const anew: Config = Object.fromEntries(
    ofThisProcess.flatMap((key) =>
      here.config[key] === undefined ? [] : [[key, here.config[key]] as const],
    ),
  )
  const workFolder = first.workFolder ?? here.workFolder
  if (!existsSync(workFolder)) throw new UsageError(`the work folder ${workFolder} of run ${runId} is gone`)
  const config = configFromRecipe(first.recipe, runId)
  // Adds to what the run may change already.
  const mayChange = [...(config.mayChange ?? []), ...(here.config.mayChange ?? [])]
  return { config: { ...config, ...anew, ...(mayChange.length > 0 ? { mayChange } : {}) }, workFolder }
}
