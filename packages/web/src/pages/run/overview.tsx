import type { JSX } from 'preact'
import { useSignal, type Signal } from '@preact/signals'
import { typedName } from '@donecheck/core/internal/budgets'
import {
  capUses,
  compact,
  dollars,
  duration,
  whole,
  type CapUse,
  type Mark,
  goalRows,
  checkRows,
  type CheckRow,
  type Verification,
} from '../../fold/index.ts'
import { Badge, Meter, Text, Block, VerdictGlyph } from '../../parts/index.ts'
import { openTab, type TabProps } from './run-feed.ts'
import { progressOf } from '@donecheck/core/internal/goal'
import { hasPassed } from '@donecheck/core/internal/state'
import type { VerificationTrigger } from '@donecheck/core/internal/events'
import { VerdictDetail } from './verdict-detail.tsx'

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

export function GoalTab({ feed }: TabProps): JSX.Element {
  const { state } = feed.shown.value.view
  if (state === undefined) return <p class="quiet">Reading its events …</p>
  const { closed, leaves, share } = progressOf(state.goal, hasPassed(state))
  const rows = goalRows(state)
  return (
    <>
      <h2>
        Goal <Badge tone={state.goal.status === 'complete' ? 'good' : 'quiet'}>{state.goal.status}</Badge>
      </h2>
      <Block value={state.task} />
      {share !== null && (
        <Meter label="closed" isLimit={false} share={share} words={`${closed} of ${leaves} parts`} />
      )}
      {rows.length === 0 && <p class="quiet">It has no parts.</p>}
      <ul class="goal">
        {rows.map(({ id, title, depth, status, isProposed, checks }) => (
          <li key={id} style={{ marginInlineStart: `${depth * 1.5}rem` }}>
            <Badge tone={status === 'closed' ? 'good' : status === 'next' ? 'live' : 'quiet'}>{status}</Badge>
            <Text value={title} />
            {isProposed && <span class="quiet">proposed by the agent</span>}
            <span class="quiet">
              <Text value={checks.join(', ')} />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

const shownColumns = 40

const triggerWords: Readonly<Record<VerificationTrigger, string>> = {
  baseline: 'before the first turn',
  change: 'after a change',
  claim: 'after a claim',
  turn: 'after the turn',
  cap: 'at a cap',
  'held-out': 'held out, at the end',
}

interface Cell {
  readonly sequence: number
  readonly name: string
}

function CheckMatrix({ source, feed }: TabProps): JSX.Element {
  const chosen = useSignal<Cell | undefined>(undefined)
  const { state, verifications } = feed.shown.value.view
  const rows = checkRows(state, verifications)
  const columns = verifications.slice(-shownColumns)
  if (rows.length === 0) return <p class="quiet">This run has no checks: nothing can verify it.</p>
  const shown = columns
    .find(({ sequence }) => sequence === chosen.value?.sequence)
    ?.verdicts.get(chosen.value?.name ?? '')
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label="Verdicts by check and verification">
        <table class="matrix">
          <thead>
            <tr>
              <td />
              {columns.map((column) => (
                <ColumnHead key={column.sequence} column={column} />
              ))}
              <th scope="col" class="number">
                Took
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.name} row={row} columns={columns} chosen={chosen} />
            ))}
          </tbody>
        </table>
      </div>
      {columns.length < verifications.length && (
        <p class="quiet">
          The latest {shownColumns} of {verifications.length} verifications; the others are among the events.
        </p>
      )}
      {shown !== undefined && (
        <div class="detail">
          <VerdictDetail verdict={shown.verdict} runId={state?.runId ?? ''} source={source} />
        </div>
      )}
    </>
  )
}

function ColumnHead({ column: { turn, trigger } }: { readonly column: Verification }): JSX.Element {
  return (
    <th scope="col" title={`turn ${turn}, ${triggerWords[trigger]}`}>
      {trigger === 'baseline' ? 'base' : turn}
    </th>
  )
}

interface RowProps {
  readonly row: CheckRow
  readonly columns: readonly Verification[]
  readonly chosen: Signal<Cell | undefined>
}

function Row({ row: { name, required, role }, columns, chosen }: RowProps): JSX.Element {
  const latest = columns.findLast(({ verdicts }) => verdicts.has(name))?.verdicts.get(name)
  return (
    <tr>
      <th scope="row" title={name}>
        <Text value={name} /> {role !== 'check' && <span class="quiet">{role}</span>}
        {role === 'check' && !required && <span class="quiet">not required</span>}
      </th>
      {columns.map(({ sequence, turn, verdicts }) => {
        const status = verdicts.get(name)?.verdict.status
        if (status === undefined) return <td />
        return (
          <td>
            <button
              type="button"
              aria-pressed={chosen.value?.sequence === sequence && chosen.value.name === name}
              aria-label={`${name}, turn ${turn}: ${status}`}
              onClick={() => (chosen.value = { sequence, name })}
            >
              <VerdictGlyph status={status} />
            </button>
          </td>
        )
      })}
      <td class="number quiet">{duration(latest?.verdict.durationMs)}</td>
    </tr>
  )
}
