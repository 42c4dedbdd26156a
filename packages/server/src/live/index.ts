/** News of the store for those who listen: one look for all, handed on as server-sent events. */
export { bell, type Bell } from './bell.ts'
export { storeChanges, type ChangeListener, type Changes, type SharedReadings } from './changes.ts'
export { eventStream, heartbeatMs, messageText, type Message } from './event-stream.ts'
