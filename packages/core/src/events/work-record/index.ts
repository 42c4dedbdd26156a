/** How the work was made and tried, as the record shows it. */
export { deedsOf } from './deeds.ts'
export { lastEditOf, noWorkRecord, type WorkRecord } from './work-record.ts'
