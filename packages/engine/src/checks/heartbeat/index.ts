/** Heartbeats: a checklist, and evidence that it was looked at. */
export { heartbeatCheck, heartbeatName, heartbeatTask, looksOfRecord, planHeartbeat } from './heartbeat.ts'
export type { HeartbeatPlan } from './heartbeat.ts'
export { readHeartbeatReply } from './heartbeat-reply.ts'
