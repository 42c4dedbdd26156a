import { randomBytes } from 'node:crypto'
import { logs, trace, type SpanContext } from '@opentelemetry/api'
import { createInstruments } from './conventions.ts'
import { contextOf, RunTelemetry, toolKey, type StartRunSpan } from './run-telemetry.ts'
import { assertKnownKeys, donecheckVersion, sha256, type OptionKeys } from '../../base/index.ts'
import type { StoreObserver } from '../../system/store/index.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface TelemetryOptions {
  /** Contains `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT`. Default: that of the process. */
  readonly environment?: Environment
  /** The `idGenerator` of the SDK. Default: the SDK's own, so that a resumed run starts another trace. */
  readonly ids?: RunIds
}

/** Reports run events to a registered OpenTelemetry SDK. Never throws. Skips runs whose start is unknown. */
export interface TelemetryObserver extends StoreObserver {
  close(): void
}

const keys: OptionKeys<TelemetryOptions> = { environment: true, ids: true }

export function telemetryObserver(options: TelemetryOptions = {}): TelemetryObserver {
  assertKnownKeys(options, keys, 'telemetryObserver')
  const { environment = process.env, ids } = options
  const writers = {
    tracer: trace.getTracer('donecheck', donecheckVersion),
    logger: logs.getLogger('donecheck', donecheckVersion),
    instruments: createInstruments(),
    withTexts: capturesContent(environment),
  }
  const runs = new Map<string, RunTelemetry>()

  function open(runId: string): RunTelemetry {
    /** A sub-run belongs to the call that waits for it; a resumed run is linked to its start. */
    const startRunSpan: StartRunSpan = (start, isResumed) => {
      const parent = run.parent
      const outer = parent && runs.get(parent.runId)?.spanOf(toolKey(parent.callId))
      const links = isResumed && ids !== undefined ? [{ context: firstSpanOf(runId) }] : []
      const work = () => start(contextOf(outer), links)
      if (ids === undefined) work()
      else ids.during(runId, !isResumed, work)
    }
    const run = new RunTelemetry(writers, startRunSpan)
    runs.set(runId, run)
    return run
  }

  return {
    observe(event) {
      harmlessly(() => {
        const { runId, type } = event
        const run = runs.get(runId) ?? open(runId)
        run.observe(event)
        if (type === 'run-stopped') runs.delete(runId)
      })
    },
    recall(past) {
      harmlessly(() => {
        const [first] = past
        if (first !== undefined) (runs.get(first.runId) ?? open(first.runId)).recall(past)
      })
    },
    knows: (runId) => runs.has(runId),
    close() {
      harmlessly(() => {
        for (const run of runs.values()) run.close()
        runs.clear()
      })
    },
  }
}

/** Telemetry errors must not fail the run. */
function harmlessly(work: () => void): void {
  try {
    work()
  } catch {
    // The SDK reports its own errors.
  }
}

const capturing = ['true', 'span_only', 'span_and_event']

export function capturesContent(environment: Environment): boolean {
  const wanted = environment['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT']
  return wanted !== undefined && capturing.includes(wanted.trim().toLowerCase())
}

const traceIdLength = 32
const spanIdLength = 16

/** An `idGenerator` that derives the trace from the run id, so that all processes share one trace. */
export interface RunIds {
  generateTraceId(): string
  generateSpanId(): string
  /** The first span started within `work` is the run's. */
  during<Value>(runId: string, isFirst: boolean, work: () => Value): Value
}

export function runIds(): RunIds {
  const random = (length: number) => randomBytes(length / 2).toString('hex')
  let next: { readonly traceId: string; readonly spanId: string | undefined } | undefined
  return {
    generateTraceId: () => next?.traceId ?? random(traceIdLength),
    generateSpanId: () => next?.spanId ?? random(spanIdLength),
    during(runId, isFirst, work) {
      const { traceId, spanId } = firstSpanOf(runId)
      next = { traceId, spanId: isFirst ? spanId : undefined }
      try {
        return work()
      } finally {
        next = undefined
      }
    },
  }
}

export function firstSpanOf(runId: string): SpanContext {
  const digest = sha256(`donecheck run ${runId}`)
  return {
    traceId: digest.slice(0, traceIdLength),
    spanId: digest.slice(traceIdLength, traceIdLength + spanIdLength),
    traceFlags: 1,
  }
}
