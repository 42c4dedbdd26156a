/** The tables as they are shown: what is alike is said once. */
import { given } from '@donecheck/engine/base'
import {
  counterpartOf,
  labelText,
  ownLabels,
  type Counterpart,
  type OwnLabel,
  type Vocabulary,
} from './systems.ts'

/** One line of the table from our labels to theirs. */
interface LabelRow {
  readonly own: OwnLabel
  readonly counterpart: Counterpart
}

export function rowsOf(vocabulary: Vocabulary): readonly LabelRow[] {
  return ownLabels.map((own) => ({ own, counterpart: counterpartOf(vocabulary, own) }))
}

/** One line for a reader. */
export interface TableRow {
  readonly from: string
  /** Null: no counterpart. */
  readonly to: string | null
  readonly note?: string
}

/** From our labels to their words. Groups of labels that all have the same entry are one row. */
export function wordRows(vocabulary: Vocabulary): readonly TableRow[] {
  const rows = rowsOf(vocabulary)
  const ends = rows.filter(({ own }) => own.kind === 'end')
  const turns = rows.filter(({ own }) => own.kind === 'turn')
  const shownEnds = areAlike(ends) ? groupRows(ends, 'every end') : endRows(ends)
  return [...shownEnds, ...(areAlike(turns) ? groupRows(turns, 'every turn that goes on') : turns.map(rowOf))]
}

/** From their words to our labels. */
export function labelRows({ ours }: Vocabulary): readonly TableRow[] {
  return Object.entries(ours).map(([from, own]): TableRow => ({
    from,
    to: own.kind === 'none' ? null : labelText(own),
    ...('note' in own ? { note: own.note } : {}),
  }))
}

function endRows(rows: readonly LabelRow[]): readonly TableRow[] {
  const caps = rows.filter(({ own }) => own.kind === 'end' && own.name === 'hard_cap')
  const loops = rows.filter(({ own }) => own.kind === 'end' && own.name === 'loop_detected')
  return rows.flatMap((row): readonly TableRow[] => {
    for (const [group, name] of [
      [caps, 'hard_cap'],
      [loops, 'loop_detected'],
    ] as const)
      if (group.includes(row) && areAlike(group)) return row === group[0] ? groupRows(group, name) : []
    return [rowOf(row)]
  })
}

function areAlike(rows: readonly LabelRow[]): boolean {
  const [first] = rows
  return rows.every(
    ({ counterpart: { word, note } }) => word === first?.counterpart.word && note === first.counterpart.note,
  )
}

function groupRows(rows: readonly LabelRow[], from: string): readonly TableRow[] {
  return rows.slice(0, 1).map((row) => ({ ...rowOf(row), from }))
}

function rowOf({ own, counterpart: { word, note } }: LabelRow): TableRow {
  return { from: labelText(own), to: word, ...given({ note }) }
}
