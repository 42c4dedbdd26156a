import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { argumentWords } from '@donecheck/core/internal/state/words'
import { compact, dollars, duration, elapsed, type Call, type Turn } from '../../fold/index.ts'
import { Badge, Block, Text, VerdictGlyph, VirtualList } from '../../parts/index.ts'
import { openTab, type TabProps } from './run-feed.ts'

export function TurnsTab({ feed }: TabProps): JSX.Element {
  const chosen = useSignal(0)
  const { turns, events } = feed.shown.value.view
  const startedMs = events[0]?.timeMs ?? 0
  const turn = turns[chosen.value]
  if (turns.length === 0) return <p class="nothing">No turn has begun.</p>
  return (
    <div class="split">
      <VirtualList
        label="Turns"
        count={turns.length}
        chosen={chosen}
        row={(index) => <Row turn={turns[index]} startedMs={startedMs} />}
      />
      {turn !== undefined && <TurnDetail turn={turn} />}
    </div>
  )
}

function Row({
  turn,
  startedMs,
}: {
  readonly turn: Turn | undefined
  readonly startedMs: number
}): JSX.Element {
  if (turn === undefined) return <span />
  return (
    <>
      <span class="figure index">{turn.number}</span>
      <span class="figure quiet at">{elapsed(turn.startedMs - startedMs)}</span>
      <span class="words">
        {turn.text === '' ? '' : <Text value={`${turn.text.slice(0, 160)} `} />}
        <span class="quiet">
          <Text value={turn.calls.map(({ tool }) => tool).join(', ')} />
        </span>
      </span>
      <span class="signs">
        {turn.rules.length > 0 && (
          <span class="glyph warn" title={turn.rules.join(', ')}>
            ⟳
          </span>
        )}
        {(turn.transition?.verdicts ?? []).slice(0, 8).map(({ verifier, status }) => (
          <span title={`${verifier}: ${status}`}>
            <VerdictGlyph status={status} />
          </span>
        ))}
      </span>
    </>
  )
}

function TurnDetail({ turn }: { readonly turn: Turn }): JSX.Element {
  const { number, text, calls, transition, tokens, costUsd, startedMs, endedMs, failures, rules } = turn
  return (
    <section class="detail" aria-label={`Turn ${number}`}>
      <h2>
        Turn {number}
        <button type="button" class="link" onClick={() => openTab('events', String(turn.first))}>
          its events
        </button>
      </h2>
      <p class="quiet figure">
        {duration(endedMs - startedMs)}, {compact(tokens)} tokens, {dollars(costUsd)}
        {failures > 0 && `, ${failures} failed calls of the model`}
      </p>
      {text !== '' && <Block value={text} />}
      {calls.map((call) => (
        <CallRow key={call.callId} call={call} />
      ))}
      {rules.map((rule) => (
        <p>
          <Badge tone="warn">⟳ {rule}</Badge>
        </p>
      ))}
      {transition !== undefined && (
        <p>
          <span class="quiet">{transition.kind === 'stop' ? 'Stopped:' : 'Went on:'}</span>{' '}
          {transition.reason}
        </p>
      )}
    </section>
  )
}

function CallRow({ call: { tool, args, status, sequence } }: { readonly call: Call }): JSX.Element {
  return (
    <button type="button" class="call" onClick={() => openTab('events', String(sequence))}>
      <Badge
        tone={status === 'ok' ? 'quiet' : status === 'running' || status === 'proposed' ? 'live' : 'warn'}
      >
        {status}
      </Badge>
      <b>
        <Text value={tool} />
      </b>
      <span class="words">
        <Text value={argumentWords(args)} />
      </span>
    </button>
  )
}
