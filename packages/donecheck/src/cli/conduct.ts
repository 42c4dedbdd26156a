/** One run from the command line: parts, signals, output, exit code. `run` and `resume` differ only in how they begin. */
import { realpathSync } from 'node:fs'
import { createAgentLoop, type AgentLoop } from '../compose.ts'
import type { Config } from '../config/index.ts'
import { exitCodeOf } from '../core/index.ts'
import { UsageError } from '../errors.ts'
import { evolve, type RunEvent, type RunState } from '../events/index.ts'
import type { AgentRun } from '../agent-run.ts'
import type { Store } from '../ports.ts'
import { killAllProcesses } from '../process/index.ts'
import { isInside } from '../store/index.ts'
import type { CliIo } from './io.ts'
import { loopOptions } from './loop-options.ts'
import { jsonOutput } from './output/json-output.ts'
import type { Output } from './output/output.ts'
import { textOutput } from './output/text-output.ts'
import { listenForInterrupts } from './signals.ts'

export interface Conduct {
  readonly config: Config
  readonly workFolder: string
  readonly store: Store
  readonly begin: (loop: AgentLoop) => AgentRun
  /** Events before this process. */
  readonly past: readonly RunEvent[]
  readonly io: CliIo
}

export async function conduct({ config, workFolder, store, begin, past, io }: Conduct): Promise<number> {
  const output = outputFor(config, io)
  let state: RunState | undefined
  for (const event of past) state = evolve(state, event)
  const interrupts = listenForInterrupts(
    (name) => output.notice(`${name}: stopping; once more ends it at once`),
    () => endAtOnce(state, output),
  )
  try {
    assertStoreOutside(store, workFolder)
    const { signal } = interrupts
    const onText = (piece: string) => output.text(piece)
    const loop = createAgentLoop(await loopOptions({ config, workFolder, store, signal, onText, io }))
    for await (const event of begin(loop)) {
      state = evolve(state, event)
      output.event(event, state)
    }
    output.close()
    if (state === undefined) throw new TypeError('a run ended without an event')
    output.end(state)
    return state.phase.kind === 'stopped'
      ? exitCodeOf[state.phase.transition.outcome]
      : exitCodeOf.interrupted
  } finally {
    output.close()
    interrupts.dispose()
  }
}

function outputFor(config: Config, io: CliIo): Output {
  const format = config.outputFormat ?? 'text'
  return format === 'text' ? textOutput(io) : jsonOutput(io, { stream: format === 'stream-json' })
}

/** Every event so far is on disk; the run can be resumed. */
function endAtOnce(state: RunState | undefined, output: Output): never {
  killAllProcesses()
  output.close()
  if (state !== undefined) output.end(state)
  process.exit(exitCodeOf.interrupted)
}

/** The agent must not edit its own record, and the record must not count as a change of the work folder. */
function assertStoreOutside(store: Store, workFolder: string): void {
  if (!isInside(store.place, realpathSync(workFolder))) return
  throw new UsageError(
    `the store ${store.place} is inside the work folder ${workFolder}, where the agent could edit its own record; name a place outside with --store`,
  )
}
