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

export { goalRequestOfRow, keptSessionOf, leaseRecordOf, sessionEntryOf } from './sqlite/tables.ts'

export { begunOf, readableEvents, wholeOf } from './event-text.ts'
export { eventRow, inTheirPlaces } from './sqlite/event-log.ts'
export { knownRows, summaryOfRow } from './sqlite/runs.ts'

export {
  answerTo,
  goalRequestText,
  isOpenQuestion,
  questionOfText,
  questionToKeep,
} from './rules/questions.ts'

export { attachmentOf } from './sqlite/sqlite-store.ts'
export {
  assertVerdict,
  digestOfEntry,
  maxRemembered,
  verdictOfRow,
  verdictText,
} from './sqlite/remembered-verdicts.ts'
