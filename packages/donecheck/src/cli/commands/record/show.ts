import { UsageError, type CorruptEventError } from '@donecheck/engine/base'
import { fold } from '@donecheck/core/state'
import { finalLine, timeline, traceLines } from '@donecheck/engine/report'
import { faultExitCode } from '../../process/exit-code.ts'
import { findSummary } from '../../settings/find-run.ts'
import type { CliIo } from '../../process/io.ts'
import { withStore } from '../../settings/settings.ts'
import type { StoreFlags } from '../../options/flags.ts'
import { paintLines } from '../../output/painter.ts'

export interface ShowFlags extends StoreFlags {
  /** Hooks and decisions of the gate alone. */
  readonly trace?: boolean
}

export async function showCommand(wanted: string, flags: ShowFlags, io: CliIo): Promise<number> {
  if (flags.json === true) {
    if (flags.trace === true) throw new UsageError('Choose --json or --trace, not both')
    return printEvents(wanted, flags, io)
  }
  const { events, problem, imported } = await readRecord(wanted, flags, io)
  if (imported === true)
    io.stdout.write('imported from a file: nothing of what it says was observed by this donecheck\n')
  const lines = flags.trace === true ? traceLines(events) : timeline(events)
  if (lines.length > 0) io.stdout.write(`${paintLines(lines, io)}\n`)
  if (problem !== undefined) io.stdout.write(`${endOfReadable(problem)}\n`)
  if (flags.trace === true) return 0
  const state = fold(events)
  if (problem === undefined && state !== undefined && state.phase.kind !== 'stopped')
    io.stdout.write(`${finalLine(state)}; "donecheck resume ${state.runId}" goes on with it if nobody does\n`)
  return 0
}

/** Prints the events that can be read as JSON Lines; an event that cannot be read is an error for the program that reads them. */
async function printEvents(wanted: string, flags: StoreFlags, io: CliIo): Promise<number> {
  const { events, problem } = await readRecord(wanted, flags, io)
  for (const event of events) io.stdout.write(`${JSON.stringify(event)}\n`)
  if (problem === undefined) return 0
  io.stderr.write(`${endOfReadable(problem)}\n`)
  return faultExitCode
}

function endOfReadable({ message, runId }: CorruptEventError): string {
  return `${message}; this is all before it. "donecheck repair ${runId}" puts the rest aside, so that the run can go on`
}

async function readRecord(wanted: string, flags: StoreFlags, io: CliIo) {
  return withStore(flags, io, async (store) => {
    const { runId, imported } = await findSummary(store, wanted)
    return { ...(await store.readAsFar(runId)), imported }
  })
}
