/** Rows of checks, columns of verifications; what a check said is a click away. */
import { useSignal, type Signal } from '@preact/signals'
import type { JSX } from 'preact'
import type { VerificationTrigger } from '@donecheck/core/events'
import { checkRows, duration, type CheckRow, type Verification } from '../../fold/index.ts'
import { Text, VerdictGlyph } from '../../parts/index.ts'
import type { TabProps } from './tab.ts'
import { VerdictDetail } from './verdict-detail.tsx'

/** Columns that are shown at once: the latest. */
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

export function CheckMatrix({ source, feed }: TabProps): JSX.Element {
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
