/** Heartbeats: a checklist, and evidence that it was looked at. */
export {
  heartbeatCheck,
  heartbeatName,
  heartbeatTask,
  looksOfRecord,
  planHeartbeat,
  readHeartbeatReply,
  type HeartbeatPlan,
} from './heartbeat.ts'
