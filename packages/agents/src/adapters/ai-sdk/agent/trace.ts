/** Reason and outcome as attributes of a span of OpenTelemetry: the spans of the SDK stand below it. */
import type { Verification } from '../../../session/index.ts'
import { given } from '@donecheck/engine/base'

/** As much of a tracer of `@opentelemetry/api` as is used. */
export interface TracerLike {
  startActiveSpan<Value>(name: string, body: (span: SpanLike) => Value): Value
}

export interface SpanLike {
  setAttribute(name: string, value: string | number | boolean): unknown
  addEvent(name: string, attributes?: Readonly<Record<string, string | number | boolean>>): unknown
  setStatus?(status: { readonly code: number; readonly message?: string }): unknown
  end(): void
}

const noSpan: SpanLike = {
  setAttribute: () => undefined,
  addEvent: () => undefined,
  end: () => undefined,
}

/** What fails to be traced fails nothing else. What the body throws is thrown. */
export function traceRun<Value>(tracer: TracerLike | undefined, body: (span: SpanLike) => Value): Value {
  if (tracer === undefined) return body(noSpan)
  const begun: SpanLike[] = []
  try {
    return tracer.startActiveSpan('donecheck.run', (span) => {
      begun.push(span)
      return body(lenient(span))
    })
  } catch (error) {
    if (begun.length > 0) throw error
    return body(noSpan)
  }
}

/** Of a span that throws nobody hears: whoever traces misses it. */
function lenient(span: SpanLike): SpanLike {
  const ignoreErrors = (work: () => unknown) => {
    try {
      work()
    } catch {
      // Its collector's own affair.
    }
  }
  return {
    setAttribute: (name, value) => ignoreErrors(() => span.setAttribute(name, value)),
    addEvent: (name, attributes) => ignoreErrors(() => span.addEvent(name, attributes)),
    setStatus: (status) => ignoreErrors(() => span.setStatus?.(status)),
    end: () => ignoreErrors(() => span.end()),
  }
}

/** As in `@opentelemetry/api`. */
const errorStatus = 2

export function endSpan(span: SpanLike, verification: Verification): void {
  const { transition } = verification
  for (const [name, value] of Object.entries(attributesOf(verification))) span.setAttribute(name, value)
  for (const { verifier, status, reason } of verification.verdicts)
    span.addEvent('donecheck.verdict', { verifier, status, reason })
  if (transition !== undefined && transition.outcome !== 'verified')
    span.setStatus?.({ code: errorStatus, message: transition.message })
  span.end()
}

export function attributesOf({
  runId,
  isVerified,
  transition,
  blockedStops,
  stoppedBy,
}: Verification): Readonly<Record<string, string | number | boolean>> {
  return {
    'donecheck.run_id': runId,
    'donecheck.verified': isVerified,
    'donecheck.blocked_stops': blockedStops,
    ...given({
      'donecheck.stopped_by': stoppedBy,
      'donecheck.reason': transition?.reason,
      'donecheck.outcome': transition?.outcome,
      'donecheck.message': transition?.message,
      'donecheck.cap': transition?.cap,
      'donecheck.at_cap': transition?.atCap,
      'donecheck.detector': transition?.detector,
    }),
  }
}
