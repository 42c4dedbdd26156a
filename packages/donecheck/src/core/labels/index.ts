/** Labels of every end and every turn, and the tables that set them beside the words of other systems. */
export { counterpartOf, labelText, ownLabels, rowsOf } from './counterparts.ts'
export type { LabelRow, OwnEnd, OwnTurn } from './counterparts.ts'
export { labels } from './labels.ts'
export type { Labels } from './labels.ts'
export type { CapKind, CapLabel } from './caps.ts'
export type { EndLabel, EndName, Resume } from './ends.ts'
export type {
  Counterpart,
  ForeignSystem,
  OwnLabel,
  PlainEnd,
  UnverifiedEnd,
  Vocabulary,
} from './vocabulary.ts'
export { labelRows, wordRows } from './table-rows.ts'
export type { TableRow } from './table-rows.ts'
