/** News of the store for those who listen: one look for all, handed on as server-sent events. */
export { bell } from './bell.ts'
export type { Bell } from './bell.ts'
export { storeChanges } from './changes.ts'
export type { ChangeListener, Changes, SharedReadings } from './changes.ts'
export { eventStream, heartbeatMs, messageText } from './event-stream.ts'
export type { Message } from './event-stream.ts'
