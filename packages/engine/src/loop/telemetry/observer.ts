import type { Span } from '@opentelemetry/api'
import { capturesContent, type Environment } from './environment.ts'
import { contextOf, Player, type Ancestry } from './player.ts'
import { firstSpanOf, type RunIds } from './run-ids.ts'
import { RunSignals } from './run-signals.ts'
import { toolSpan } from './tool-signals.ts'
import type { Signal } from './signals.ts'
import { assertKnownKeys, type OptionKeys } from '../../base/index.ts'
import type { StoreObserver } from '../../system/store/index.ts'

export interface TelemetryOptions {
  /** Whether texts are told: `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT`. Default: that of the process. */
  readonly environment?: Environment
  /** The same that the SDK was given as its `idGenerator`. Default: the SDK names traces, and a resumed run begins another. */
  readonly ids?: RunIds
}

/**
 * Tells an SDK of OpenTelemetry, where one is registered, what the events of runs say. It never throws. Of a run whose beginning it
 * neither saw nor recalls it tells nothing.
 */
export interface TelemetryObserver extends StoreObserver {
  /** What is open ends as unfinished. */
  close(): void
}

interface Observed {
  readonly signals: RunSignals
  readonly spans: Map<string, Span>
}

const keys: OptionKeys<TelemetryOptions> = { environment: true, ids: true }

export function telemetryObserver(options: TelemetryOptions = {}): TelemetryObserver {
  assertKnownKeys(options, keys, 'telemetryObserver')
  const { environment = process.env, ids } = options
  const withTexts = capturesContent(environment)
  const player = new Player()
  const runs = new Map<string, Observed>()

  function observed(runId: string): Observed {
    const run = runs.get(runId) ?? { signals: new RunSignals(withTexts), spans: new Map<string, Span>() }
    runs.set(runId, run)
    return run
  }

  /** A part of another run stands below the call that waits for it; what is resumed is tied to its beginning. */
  function ancestryOf(runId: string, { signals: { parent } }: Observed, isResumed: boolean): Ancestry {
    const outer = parent && runs.get(parent.runId)?.spans.get(toolSpan(parent.callId))
    const links = isResumed && ids !== undefined ? [{ context: firstSpanOf(runId) }] : []
    return { parent: contextOf(outer), links }
  }

  function play(runId: string, run: Observed, signals: readonly Signal[], isResumed = false): void {
    for (const signal of signals) {
      const work = () => player.play(signal, run.spans, () => ancestryOf(runId, run, isResumed))
      const isRun = signal.kind === 'span-begun' && signal.parent === null
      if (isRun && ids !== undefined) ids.during(runId, !isResumed, work)
      else work()
    }
  }

  return {
    observe(event) {
      harmlessly(() => {
        const { runId, type } = event
        const run = observed(runId)
        play(runId, run, run.signals.of(event), type === 'run-resumed')
        // Whoever goes on with it recalls it.
        if (type === 'run-stopped') runs.delete(runId)
      })
    },
    recall(past) {
      harmlessly(() => {
        const [first] = past
        if (first !== undefined) observed(first.runId).signals.recall(past)
      })
    },
    knows: (runId) => runs.has(runId),
    close() {
      harmlessly(() => {
        for (const [runId, run] of runs) play(runId, run, run.signals.close())
        runs.clear()
      })
    },
  }
}

/** What fails to be told fails nothing else. */
function harmlessly(work: () => void): void {
  try {
    work()
  } catch {
    // The SDK's own affair.
  }
}
