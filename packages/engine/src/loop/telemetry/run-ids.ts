import { randomBytes } from 'node:crypto'
import type { SpanContext } from '@opentelemetry/api'
import { sha256 } from '../../base/index.ts'

const traceIdLength = 32
const spanIdLength = 16

/**
 * For an SDK, as its `idGenerator`: all of a run is one trace, whichever process goes on with it, for the id of the trace and that
 * of its first span follow from the id of the run. All other ids are random.
 */
export interface RunIds {
  generateTraceId(): string
  generateSpanId(): string
  /** What is begun within `work` is the span of that run. */
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

/** The span with which a run began. */
export function firstSpanOf(runId: string): SpanContext {
  const digest = sha256(`donecheck run ${runId}`)
  return {
    traceId: digest.slice(0, traceIdLength),
    spanId: digest.slice(traceIdLength, traceIdLength + spanIdLength),
    traceFlags: 1,
  }
}
