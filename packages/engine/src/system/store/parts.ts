/** What a store elsewhere is made of: the rules that all of them keep, and how their rows are read. */

// when a batch may be written, and what its run is then
export { assertInOrder, assertLeft, isBatch, refusal } from './rules/append-rules.ts'
export type { Batch } from './rules/append-rules.ts'
export { isOnlyCounted, summarise } from './rules/summary.ts'
export { closedProblem } from './rules/table-methods.ts'

// who may hold a name
export { decideAcquire, fencedMessage, heldLease, isCurrent, renewLease } from './rules/lease-rules.ts'
export type { LeaseRecord } from './rules/lease-rules.ts'
export { leaseRecordOf } from './sqlite/tables/leases.ts'

// what was recorded, as far as it can be read
export { begunOf, readableEvents, wholeOf } from './texts/event-text.ts'
export { eventRow, inTheirPlaces } from './sqlite/event-log.ts'
export { assertLimit, pageOf, startOf } from './rules/run-query.ts'
export { knownRows, summaryOfRow } from './sqlite/tables/runs.ts'

// what people are asked, and what they ask for
export { answerTo, isOpenQuestion, questionOfText, questionToKeep } from './rules/kept-questions.ts'
export { goalRequestText } from './texts/goal-request-text.ts'
export { goalRequestOfRow } from './sqlite/tables/asked.ts'

// what is kept beside runs
export { attachmentOf } from './sqlite/session-store.ts'
export { keptSessionOf, sessionEntryOf } from './sqlite/tables/host-sessions.ts'
export { assertVerdict, digestOfEntry, maxRemembered, verdictText } from './texts/verdict-text.ts'
export { verdictOfRow, yieldOf } from './sqlite/sqlite-store.ts'
