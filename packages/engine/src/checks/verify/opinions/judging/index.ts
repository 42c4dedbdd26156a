/** What a judge is shown of the record, and what its words mean. */
export { callsOf } from './grounds.ts'
export { hear, voteOf } from './hear.ts'
export { recordText, verdictText, visible } from './record-text.ts'
