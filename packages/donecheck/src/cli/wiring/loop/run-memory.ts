/** The memory of a run from the command line. Whatever is wrong with it costs a notice, and nothing else. */
import { existsSync } from 'node:fs'
import { messageOf } from '@donecheck/engine/base'
import { distil, openMemory, type OpenMemory } from '@donecheck/engine/memory'
import type { Memory } from '@donecheck/engine/ports/memory'
import type { Store } from '@donecheck/engine/ports/store'
import { systemClock } from '@donecheck/engine/run'
import type { RunEvent } from '@donecheck/core/events'
import { fold, type RunState } from '@donecheck/core/state'
import { snapshotFolderOf } from '@donecheck/engine/compose'
import { changesSinceBaseline } from '@donecheck/engine/workspace'
import type { Config } from '../../../config/index.ts'
import type { CliIo } from '../../process/io.ts'
import { memoryFileOf } from '../../settings/store-folder.ts'

/** Milliseconds that reading the tree may take at the end of a run. */
const maxTreeMs = 30_000

export interface RunMemory {
  /** Undefined: nothing is remembered. */
  readonly port: Memory | undefined
  /** Once the run has ended, and all of it is written and said. */
  learn(runId: string, store: Store): Promise<void>
  /** What runs with the same checks usually took, where that is far below the cap of this one; otherwise undefined. */
  proposal(state: RunState): string | undefined
  close(): void
}

interface MemoryRequest {
  readonly config: Config
  readonly workFolder: string
  readonly io: CliIo
  readonly notice: (message: string) => void
}

export function openRunMemory({ config, workFolder, io, notice }: MemoryRequest): RunMemory {
  const { memory = 'project', store } = config
  if (memory === 'off') return noMemory
  const file = memoryFileOf({ memory, store, workFolder }, io)
  let isReported = false
  const onProblem = (message: string) => {
    if (!isReported) notice(`the memory ${file} cannot be used, and the run goes on without: ${message}`)
    isReported = true
  }
  let opened: OpenMemory | undefined
  const open = (): OpenMemory => {
    opened ??= openMemory({ file, nowMs: () => systemClock.nowMs(), onProblem })
    return opened
  }
  const attempt = <Value>(work: () => Value): Value | undefined => {
    try {
      return work()
    } catch (error) {
      onProblem(messageOf(error))
      return undefined
    }
  }
  // Where nothing was ever learnt there is nothing to open.
  if (existsSync(file)) attempt(open)
  return {
    port: opened,
    async learn(runId, runs) {
      try {
        const summary = (await runs.list()).find((run) => run.runId === runId)
        // Nothing of an imported run was observed here.
        if (summary?.imported === true) return
        const events = await runs.read(runId)
        const lessons = distil(events, await changedFiles(runId, events, runs))
        if (lessons !== undefined) open().learn(lessons)
      } catch (error) {
        onProblem(messageOf(error))
      }
    },
    proposal: (state) => (opened === undefined ? undefined : attempt(() => proposalOf(open(), state))),
    close: () => attempt(() => opened?.close()),
  }
}

/** Files that differ from the baseline tree; empty if that is not known. */
async function changedFiles(
  runId: string,
  events: readonly RunEvent[],
  runs: Store,
): Promise<readonly string[]> {
  const state = fold(events)
  if (state === undefined || state.workFolder === null) return []
  const trees = { workFolder: state.workFolder, snapshotFolder: snapshotFolderOf({}, runs) }
  try {
    const { changes, unknown } = await changesSinceBaseline(trees, runId, AbortSignal.timeout(maxTreeMs))
    return [...changes.map(({ path }) => path), ...unknown]
  } catch {
    return []
  }
}

const noMemory: RunMemory = {
  port: undefined,
  learn: async () => undefined,
  proposal: () => undefined,
  close: () => undefined,
}

/** A cap of more than twice what is usual holds nobody. */
function proposalOf(memory: OpenMemory, { settings, workFolder }: RunState): string | undefined {
  const { verifiers, caps } = settings
  const checks = verifiers
    .filter(({ required, role }) => required && role === 'check')
    .map(({ name }) => name)
  const usual = memory.usualTurns(workFolder, checks)
  if (usual === undefined || (caps.maxIterations ?? Infinity) <= usual * 2) return undefined
  return `90 % of the runs with these checks ended within ${usual} turns; --max-turns ${usual} would end others there`
}
