/** Where recorded runs come from: files of them, or the runs of this project. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { costOf } from '@donecheck/core/budgets'
import { filesOf, readRuns, runOfEvents, type RecordedRun } from '@donecheck/engine/recordings'
import { messageOf, UsageError } from '@donecheck/engine/base'
import type { Config } from '../../../../config/index.ts'
import type { CliIo } from '../../../process/io.ts'
import { withStore } from '../../../settings/settings.ts'
import type { StoreFlags } from '../../../options/flags.ts'

export interface RecordingFlags extends StoreFlags {
  readonly runs?: boolean
  readonly withoutLabel?: readonly string[]
}

/**
 * Every chosen run, one after the other.
 *
 * @param files files or folders; none: the runs of this project
 * @returns what could not be read, in words
 * @throws {UsageError} for a file or folder that is not there, and where there is no run at all
 */
export async function eachRecording(
  files: readonly string[],
  flags: RecordingFlags,
  config: Config,
  io: CliIo,
  take: (run: RecordedRun) => void,
): Promise<readonly string[]> {
  const problems: string[] = []
  let count = 0
  const offer = (run: RecordedRun) => {
    if (flags.withoutLabel?.some((label) => run.outcome.labels?.includes(label))) return
    count += 1
    take(withCosts(run, config))
  }
  const paths = await pathsOf(files, io)
  for await (const run of readRuns(paths, (problem) => problems.push(problem))) offer(run)
  if (files.length === 0 || flags.runs === true) await ownRuns(flags, io, offer, problems)
  if (count > 0) return problems
  const where =
    files.length === 0 ? 'this project has no recorded runs with a turn' : 'no run is left to be replayed'
  throw new UsageError([`${where}; name files or folders of recorded runs`, ...problems].join('\n'))
}

async function pathsOf(files: readonly string[], { currentFolder }: CliIo): Promise<readonly string[]> {
  const all: string[] = []
  for (const file of files) {
    const path = resolve(currentFolder, file)
    const kind = statSync(path, { throwIfNoEntry: false })
    if (kind === undefined) throw new UsageError(`there is no file or folder ${path}`)
    all.push(...(kind.isDirectory() ? ((await filesOf(path)) ?? []) : [path]))
  }
  return all
}

async function ownRuns(
  flags: StoreFlags,
  io: CliIo,
  offer: (run: RecordedRun) => void,
  problems: string[],
): Promise<void> {
  await withStore(flags, io, async (store) => {
    for (const { runId } of await store.list()) {
      try {
        const run = runOfEvents(await store.read(runId), 'runs of this project')
        if (run !== undefined) offer(run)
      } catch (error) {
        problems.push(`run ${runId} cannot be read: ${messageOf(error)}`)
      }
    }
  })
}

/** At the prices of the configuration, where the record has none. */
function withCosts(run: RecordedRun, { prices = {} }: Config): RecordedRun {
  const price = run.model === null ? undefined : prices[run.model]
  if (price === undefined || run.costUsd != null) return run
  const turns = run.turns.map((turn) => {
    const { in: inputTokens, out: outputTokens } = turn.tokens ?? {}
    if (turn.costUsd != null || inputTokens == null || outputTokens == null) return turn
    return { ...turn, costUsd: costOf({ inputTokens, outputTokens }, price) }
  })
  return { ...run, turns }
}
