/** Every event of the run, however many there are. */
import { useSignal } from '@preact/signals'
import type { RunEvent } from '@donecheck/core/events'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { elapsed, EventFilter, eventWords } from '../../fold/index.ts'
import { route, Text, useKeys, VirtualList } from '../../parts/index.ts'
import { EventDetail } from './event-detail.tsx'
import type { TabProps } from './tab.ts'

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
  const { tone, text } = eventWords(event)
  return (
    <>
      <span class="figure quiet index">{event.sequence}</span>
      <span class="figure quiet at">{elapsed(event.timeMs - startedMs)}</span>
      <span class={`type ${tone}`}>{event.type}</span>
      <span class="words">
        <Text value={text} />
      </span>
    </>
  )
}
