/** `donecheck watch [RUN]`: a run that goes on in another process, as lines, until it ends. */
import { setTimeout as pause } from 'node:timers/promises'
import { checksOnly } from '@donecheck/core/settings'
import { evolve, type RunState } from '@donecheck/core/state'
import { exitCodeOfStop } from '@donecheck/core/stops'
import { UsageError } from '@donecheck/engine/base'
import type { Store } from '@donecheck/engine/ports/store'
import type { StoreFlags } from '../../options/flags.ts'
import type { Output } from '../../output/output.ts'
import { textOutput } from '../../output/text-output.ts'
import { interruptedExitCode } from '../../process/exit-code.ts'
import type { CliIo } from '../../process/io.ts'
import { listenForInterrupts } from '../../process/signals.ts'
import { findRun } from '../../settings/find-run.ts'
import { withStore } from '../../settings/settings.ts'

const refreshMs = 500
const eventsAtOnce = 1000

/** Exits as the run does; Ctrl-C ends the watching alone. */
export async function watchCommand(
  wanted: string | undefined,
  flags: StoreFlags,
  io: CliIo,
): Promise<number> {
  return withStore(flags, io, async (store) => {
    const runId = wanted === undefined ? await runGoingOn(store) : await findRun(store, wanted)
    const output = textOutput(io, { isWatched: true })
    const interrupts = listenForInterrupts(
      () => undefined,
      () => process.exit(interruptedExitCode),
    )
    const { signal } = interrupts
    const wait = () =>
      pause(refreshMs, undefined, { signal }).then(
        () => true,
        () => false,
      )
    try {
      return await followRun(runId, store, output, wait)
    } finally {
      output.close()
      interrupts.dispose()
    }
  })
}

async function runGoingOn(store: Store): Promise<string> {
  const runs = await store.list()
  const latest = runs.find(({ outcome, drive }) => outcome === undefined && drive !== checksOnly)
  if (latest === undefined)
    throw new UsageError(`no run is going on in ${store.place}; "donecheck show last" tells of the latest`)
  return latest.runId
}

/**
 * From its beginning.
 * @param wait until there may be more; false: nobody wants to see it
 * @throws {CorruptEventError} for a record that cannot be read to its end
 */
export async function followRun(
  runId: string,
  store: Pick<Store, 'readAfter'>,
  output: Pick<Output, 'event'>,
  wait: () => Promise<boolean>,
): Promise<number> {
  let state: RunState | undefined
  let hasMore: boolean
  do {
    const events = await store.readAfter(runId, state?.sequence ?? 0, eventsAtOnce)
    for (const event of events) {
      state = evolve(state, event)
      output.event(event, state)
    }
    hasMore = events.length === eventsAtOnce
    if (!hasMore && state?.phase.kind === 'stopped') return exitCodeOfStop(state.phase.transition)
  } while (hasMore || (await wait()))
  return interruptedExitCode
}
