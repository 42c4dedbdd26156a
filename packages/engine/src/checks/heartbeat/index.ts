export {
  heartbeatCheck,
  heartbeatName,
  heartbeatTask,
  looksOfRecord,
  planHeartbeat,
  readHeartbeatReply,
  type HeartbeatPlan,
} from './heartbeat.ts'
