/** One event: what a person wants to see of it, and all of it as it is on record. */
import type { RunEvent } from '@donecheck/core/events'
import type { JSX } from 'preact'
import type { Source } from '../../data/index.ts'
import { changesOfCall, clock, duration } from '../../fold/index.ts'
import { Block, Diff, Text } from '../../parts/index.ts'
import { VerdictDetail } from './verdict-detail.tsx'

interface DetailProps {
  readonly event: RunEvent
  readonly source: Source
}

export function EventDetail({ event, source }: DetailProps): JSX.Element {
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

/** Undefined: there is nothing that its record does not say better. */
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
