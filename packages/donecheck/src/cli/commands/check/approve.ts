/** `donecheck approve RUN [PATH…]`: allows changes of the checks by name, and goes on with the run. */
import { userInfo } from 'node:os'
import { UsageError } from '@donecheck/engine/base'
import type { Store } from '@donecheck/engine/ports/store'
import { snapshotFolderOf } from '@donecheck/engine/compose'
import { isAlive, processMark, thisHolder } from '@donecheck/engine/process'
import { keepLease, systemClock } from '@donecheck/engine/run'
import { allowOpenChanges } from '@donecheck/engine/workspace'
import { reportFailure } from '../../process/failure.ts'
import { findRun } from '../../settings/find-run.ts'
import type { CliIo } from '../../process/io.ts'
import { openStore } from '../../settings/open-store.ts'
import type { RunFlags } from '../../options/flags.ts'
import { settingsWithoutFile } from '../../settings/settings.ts'
import { resumeCommand } from '../run/resume.ts'

export interface ApproveFlags extends RunFlags {
  readonly by?: string
  readonly reason?: string
}

export async function approveCommand(
  wanted: string,
  paths: readonly string[],
  { by = userInfo().username, reason = '', ...flags }: ApproveFlags,
  io: CliIo,
): Promise<number> {
  try {
    assertNoAgent(io)
    const runId = await allow(wanted, { paths, by, reason }, flags, io)
    return await resumeCommand(runId, flags, io)
  } catch (error) {
    return reportFailure(error, (flags.outputFormat ?? 'text') !== 'text', io)
  }
}

/** What a run starts carries its mark: nobody allows his own changes. */
function assertNoAgent({ environment }: CliIo): void {
  if (environment[processMark.name] !== undefined)
    throw new UsageError(
      'approve is for whoever may decide, not for what a run has started; leave it to them',
    )
}

interface Words {
  readonly paths: readonly string[]
  readonly by: string
  readonly reason: string
}

async function allow(wanted: string, words: Words, flags: RunFlags, io: CliIo): Promise<string> {
  const { config, workFolder } = settingsWithoutFile(flags, io)
  const store = openStore(config.store, workFolder, io)
  try {
    const runId = await findRun(store, wanted)
    const allowed = await allowChanges(store, runId, words)
    io.stderr.write(`allowed by ${words.by}: ${allowed.join(', ')}\n`)
    return runId
  } finally {
    await store.close()
  }
}

/** The run must be at rest: a live one remembers for itself. @throws {RunHeldError} while it works */
export async function allowChanges(store: Store, runId: string, words: Words): Promise<readonly string[]> {
  const held = await keepLease({
    name: `run ${runId}`,
    holder: thisHolder(`approve ${runId}`),
    leases: store,
    clock: systemClock,
    isDead: (other) => isAlive(other) === 'dead',
  })
  try {
    const snapshotFolder = snapshotFolderOf({}, store)
    return allowOpenChanges({ runId, snapshotFolder, ...words })
  } finally {
    await held.release()
  }
}
