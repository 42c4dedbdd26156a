/** A run at one look: what is used up, what the checks said and when, where rules spoke up. */
import type { JSX } from 'preact'
import { useSignal } from '@preact/signals'
import { typedName } from '@donecheck/core/budgets'
import {
  burnDown,
  capUses,
  compact,
  dollars,
  duration,
  percent,
  whole,
  type CapUse,
  type Mark,
} from '../../fold/index.ts'
import { Badge, Meter, Plot, Text } from '../../parts/index.ts'
import { CheckMatrix } from './check-matrix.tsx'
import type { RunFeed } from './run-feed.ts'
import { openTab, type TabProps } from './tab.ts'

export function Overview({ source, feed }: TabProps): JSX.Element {
  const { state, marks } = feed.shown.value.view
  if (state === undefined) return <p class="quiet">Reading its events …</p>
  return (
    <>
      <section aria-label="What is used up" class="meters">
        {capUses(state).map((use) => (
          <Meter
            isLimit
            key={use.amount}
            label={typedName(use.amount)}
            share={use.used / (use.limit || 1)}
            words={useWords(use)}
          />
        ))}
      </section>
      <section>
        <h2>Checks</h2>
        <CheckMatrix source={source} feed={feed} />
      </section>
      <section>
        <h2>Budget left</h2>
        <BurnDown feed={feed} />
      </section>
      {marks.length > 0 && (
        <section>
          <h2>What rules noticed</h2>
          <Marks marks={marks} />
        </section>
      )}
    </>
  )
}

const wordsOf: Readonly<Record<CapUse['kind'], (value: number) => string>> = {
  turns: whole,
  'model-calls': whole,
  'tool-calls': whole,
  tokens: compact,
  cost: dollars,
  time: duration,
}

function useWords({ kind, used, limit }: CapUse): string {
  return `${wordsOf[kind](used)} of ${wordsOf[kind](limit)}`
}

function BurnDown({ feed }: { readonly feed: RunFeed }): JSX.Element {
  const by = useSignal<'turn' | 'time'>('turn')
  const { at, lines } = burnDown(feed.shown.value.view.readings, by.value)
  if (lines.length === 0) return <p class="quiet">This run has no caps.</p>
  const named = lines.map(({ amount, left }, index) => ({
    name: typedName(amount),
    values: left,
    isMain: index === 0,
  }))
  const last = named.map(({ name, values }) => `${name} ${percent((values.at(-1) ?? 0) / 100)}`)
  return (
    <>
      <p class="legend">
        {named.map(({ name, isMain }, index) => (
          <span class={isMain ? 'main' : `other line-${index}`}>{name}</span>
        ))}
        <button
          type="button"
          class="quiet-button"
          onClick={() => (by.value = by.value === 'turn' ? 'time' : 'turn')}
        >
          by {by.value === 'turn' ? 'time' : 'turn'}
        </button>
      </p>
      <Plot
        label={`Left of each cap at the end: ${last.join(', ')}`}
        at={at}
        lines={named}
        top={100}
        xWords={(value) => (by.value === 'turn' ? String(value) : duration(value * 1_000))}
        yWords={(value) => `${value} %`}
      />
    </>
  )
}

/** The latest are what matters, and there may be thousands. */
const shownMarks = 50

function Marks({ marks }: { readonly marks: readonly Mark[] }): JSX.Element {
  const shown = marks.slice(-shownMarks).toReversed()
  return (
    <>
      <ul class="marks">
        {shown.map(({ sequence, turn, rule, level, message }) => (
          <li key={sequence}>
            <Badge tone={level === 'stop' ? 'bad' : level === 'warn' ? 'warn' : 'quiet'}>{level}</Badge>
            <button type="button" class="link" onClick={() => openTab('events', String(sequence))}>
              turn {turn}
            </button>
            <code>{rule}</code>
            <span class="message">
              <Text value={message} />
            </span>
          </li>
        ))}
      </ul>
      {marks.length > shown.length && (
        <p class="quiet">{whole(marks.length - shown.length)} earlier ones are among the events.</p>
      )}
    </>
  )
}
