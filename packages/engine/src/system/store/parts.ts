/** What a store elsewhere is made of: the rules that all of them keep, and how their rows are read. */

// when a batch may be written, and what its run is then
export {
  assertInOrder,
  assertLeft,
  assertLimit,
  type Batch,
  isBatch,
  isOnlyCounted,
  pageOf,
  refusal,
  startOf,
  summarise,
} from './rules/records.ts'
export {
  closedProblem,
  decideAcquire,
  fencedMessage,
  heldLease,
  isCurrent,
  type LeaseRecord,
  renewLease,
} from './rules/names.ts'

// who may hold a name
export { goalRequestOfRow, keptSessionOf, leaseRecordOf, sessionEntryOf } from './sqlite/tables.ts'

// what was recorded, as far as it can be read
export { begunOf, readableEvents, wholeOf } from './event-text.ts'
export { eventRow, inTheirPlaces } from './sqlite/event-log.ts'
export { knownRows, summaryOfRow } from './sqlite/runs.ts'

// what people are asked, and what they ask for
export {
  answerTo,
  goalRequestText,
  isOpenQuestion,
  questionOfText,
  questionToKeep,
} from './rules/questions.ts'

// what is kept beside runs
export { attachmentOf } from './sqlite/session-store.ts'
export {
  assertVerdict,
  digestOfEntry,
  maxRemembered,
  verdictOfRow,
  verdictText,
  yieldOf,
} from './sqlite/sqlite-store.ts'
