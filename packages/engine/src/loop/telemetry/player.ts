/** Signals of one run as calls of OpenTelemetry's interface, which does nothing while no SDK is registered. */
import {
  context,
  logs,
  metrics,
  SeverityNumber,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Counter,
  type Histogram,
  type Link,
  type Span,
} from '@opentelemetry/api'
import { donecheckVersion } from '../../base/index.ts'
import { instruments, type InstrumentName, type Signal } from './signals.ts'

const scope = 'donecheck'

/** Of the span of a run: what it is a part of, and what went before it. */
export interface Ancestry {
  readonly parent: Context | undefined
  readonly links: Link[]
}

export class Player {
  readonly #tracer = trace.getTracer(scope, donecheckVersion)
  readonly #meter = metrics.getMeter(scope, donecheckVersion)
  readonly #logger = logs.getLogger(scope, donecheckVersion)
  readonly #recorders = new Map<InstrumentName, (signal: MeasuredSignal) => void>()

  /** @param spans the open ones of the run, which are kept in it */
  play(signal: Signal, spans: Map<string, Span>, ancestry: () => Ancestry): void {
    switch (signal.kind) {
      case 'span-begun':
        spans.set(signal.span, this.#begin(signal, spans, ancestry))
        return
      case 'span-ended': {
        const span = spans.get(signal.span)
        spans.delete(signal.span)
        span?.setAttributes(signal.attributes)
        if (signal.error !== undefined) span?.setAttribute('error.type', signal.error)
        if (signal.error !== undefined) span?.setStatus({ code: SpanStatusCode.ERROR, message: signal.error })
        span?.end(signal.timeMs)
        return
      }
      case 'logged':
        this.#logger.emit({
          eventName: signal.name,
          severityNumber: SeverityNumber[signal.severity],
          severityText: signal.severity,
          timestamp: signal.timeMs,
          attributes: signal.attributes,
          context: contextOf(spans.get(signal.span)) ?? context.active(),
        })
        return
      case 'measured':
        this.#recorderOf(signal.instrument)(signal)
    }
  }

  #begin(
    { parent, name, isClient, timeMs, attributes }: Extract<Signal, { kind: 'span-begun' }>,
    spans: ReadonlyMap<string, Span>,
    ancestry: () => Ancestry,
  ): Span {
    const { parent: outer, links } = parent === null ? ancestry() : noAncestry
    const within = parent === null ? outer : contextOf(spans.get(parent))
    const kind = isClient ? SpanKind.CLIENT : SpanKind.INTERNAL
    return this.#tracer.startSpan(
      name,
      { kind, startTime: timeMs, attributes, links },
      within ?? context.active(),
    )
  }

  #recorderOf(name: InstrumentName): (signal: MeasuredSignal) => void {
    const known = this.#recorders.get(name)
    if (known !== undefined) return known
    const instrument = this.#instrument(name)
    const record = ({ value, attributes }: MeasuredSignal) =>
      'add' in instrument ? instrument.add(value, attributes) : instrument.record(value, attributes)
    this.#recorders.set(name, record)
    return record
  }

  #instrument(name: InstrumentName): Counter | Histogram {
    const instrument = instruments[name]
    const { unit, description } = instrument
    if (instrument.kind === 'counter') return this.#meter.createCounter(name, { unit, description })
    const advice = { explicitBucketBoundaries: [...instrument.bounds] }
    return this.#meter.createHistogram(name, { unit, description, advice })
  }
}

type MeasuredSignal = Extract<Signal, { kind: 'measured' }>

const noAncestry: Ancestry = { parent: undefined, links: [] }

/** What begins within that span. */
export function contextOf(span: Span | undefined): Context | undefined {
  return span && trace.setSpan(context.active(), span)
}
