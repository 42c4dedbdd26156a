import { fold, type RunEvent } from '../../events/index.ts'
import { finalLine, timeline, traceLines } from '../../report/index.ts'
import { findRun } from '../find-run.ts'
import type { CliIo } from '../io.ts'
import { withStore } from '../open-store.ts'
import type { StoreFlags } from '../options.ts'
import { paintedLines } from '../output/painted-lines.ts'

export interface ShowFlags extends StoreFlags {
  /** Hooks and decisions of the gate alone. */
  readonly trace?: boolean
}

export async function showCommand(wanted: string, flags: ShowFlags, io: CliIo): Promise<number> {
  const events = await eventsOf(wanted, flags, io)
  const lines = flags.trace === true ? traceLines(events) : timeline(events)
  if (lines.length > 0) io.stdout.write(`${paintedLines(lines, io)}\n`)
  if (flags.trace === true) return 0
  const state = fold(events)
  if (state !== undefined && state.phase.kind !== 'stopped')
    io.stdout.write(`${finalLine(state)}; "donecheck resume ${state.runId}" goes on with it if nobody does\n`)
  return 0
}

export async function eventsCommand(wanted: string, flags: StoreFlags, io: CliIo): Promise<number> {
  for (const event of await eventsOf(wanted, flags, io)) io.stdout.write(`${JSON.stringify(event)}\n`)
  return 0
}

async function eventsOf(wanted: string, flags: StoreFlags, io: CliIo): Promise<readonly RunEvent[]> {
  return withStore(flags, io, async (store) => store.read(await findRun(store, wanted)))
}
