import { useSignal } from '@preact/signals'
import type { RunEvent } from '@donecheck/core/internal/events'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { elapsed, EventFilter, eventLine, changesOfCall, clock, duration } from '../../fold/index.ts'
import { route, Text, useKeys, VirtualList, Block, Diff } from '../../parts/index.ts'
import type { TabProps } from './run-feed.ts'
import type { Source } from '../../data/index.ts'
import { VerdictDetail } from './verdict-detail.tsx'

export function EventsTab({ source, feed }: TabProps): JSX.Element {
  const wanted = useSignal('')
  const chosen = useSignal(Number(route.value.query.get('at') ?? 0) - 1)
  const field = useRef<HTMLInputElement>(null)
  const filter = useMemo(() => new EventFilter(wanted.value), [wanted.value])
  useEffect(() => {
    if (wanted.value !== '') chosen.value = -1
  }, [wanted.value])
  useKeys([{ key: '/', what: 'search events', act: () => field.current?.focus() }])
  const { events } = feed.shown.value.view
  const places = filter.in(events)
  const count = places === 'all' ? events.length : places.length
  const at = (index: number) => events[places === 'all' ? index : (places[index] ?? -1)]
  const event = at(chosen.value)
  return (
    <>
      <div class="filters">
        <input
          ref={field}
          type="search"
          placeholder="Search events  /"
          aria-label="Search events"
          value={wanted.value}
          onInput={({ currentTarget }) => (wanted.value = currentTarget.value)}
          onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
        />
        <span class="quiet figure" role="status">
          {count.toLocaleString('en-US')} events{feed.isWhole.value ? '' : ' so far'}
        </span>
      </div>
      <div class="split">
        <VirtualList
          label="Events"
          count={count}
          chosen={chosen}
          row={(index) => <Row event={at(index)} startedMs={events[0]?.timeMs ?? 0} />}
        />
        {event !== undefined && <EventDetail key={event.sequence} event={event} source={source} />}
      </div>
    </>
  )
}

function Row({
  event,
  startedMs,
}: {
  readonly event: RunEvent | undefined
  readonly startedMs: number
}): JSX.Element {
  if (event === undefined) return <span />
  const { tone, text } = eventLine(event)
  return (
    <>
      <span class="figure quiet index">{event.sequence}</span>
      <span class="figure quiet at">{elapsed(event.timeMs - startedMs)}</span>
      <span class={`type ${tone === 'warning' ? 'warn' : tone}`}>{event.type}</span>
      <span class="words">
        <Text value={text} />
      </span>
    </>
  )
}

interface DetailProps {
  readonly event: RunEvent
  readonly source: Source
}

function EventDetail({ event, source }: DetailProps): JSX.Element {
  const body = bodyOf(event, source)
  return (
    <section class="detail" aria-label={`Event ${event.sequence}`}>
      <h2>{event.type}</h2>
      <p class="quiet figure">
        {event.sequence}, {clock(event.timeMs)}
        {event.durationMs === undefined ? '' : `, took ${duration(event.durationMs)}`}
      </p>
      {body}
      <details open={body === undefined}>
        <summary>On record</summary>
        <Block value={JSON.stringify(event, null, 2)} />
      </details>
    </section>
  )
}

/** Undefined if the record itself shows it better. */
function bodyOf(event: RunEvent, source: Source): JSX.Element | undefined {
  switch (event.type) {
    case 'verdict-given':
    case 'reply-judged':
      return <VerdictDetail verdict={event.verdict} runId={event.runId} source={source} />
    case 'model-replied':
      return (
        <>
          {event.text !== '' && <Block value={event.text} />}
          {event.toolCalls.map((call) => (
            <CallDetail key={call.callId} call={call} sequence={event.sequence} />
          ))}
        </>
      )
    case 'tool-returned':
      return <Block value={event.output} />
    case 'turn-ended':
      return <Block value={event.feedback ?? `${event.transition.kind}: ${event.transition.reason}`} />
    case 'run-stopped':
      return <Block value={event.transition.summary ?? event.transition.message} />
    case 'goal-set':
      return <Block value={event.task} />
    case 'finding-noted':
      return <Block value={[event.finding.message, event.finding.advice ?? ''].join('\n\n').trim()} />
    default:
      return undefined
  }
}

interface CallDetailProps {
  readonly call: Extract<RunEvent, { type: 'model-replied' }>['toolCalls'][number]
  readonly sequence: number
}

function CallDetail({ call, sequence }: CallDetailProps): JSX.Element {
  const changes = changesOfCall({ args: call.args, sequence }, 0)
  return (
    <>
      <h3>
        <Text value={call.tool} />
      </h3>
      {changes.length === 0 ? (
        <Block value={JSON.stringify(call.args, null, 2)} />
      ) : (
        changes.map(({ path, lines }) => (
          <>
            <p>
              <code>
                <Text value={path} />
              </code>
            </p>
            <Diff lines={lines} />
          </>
        ))
      )}
    </>
  )
}
