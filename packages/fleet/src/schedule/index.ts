/** Which worker takes which run next: pure, for the coordinator and the simulator. */
export {
  limitsSchema,
  runRequestSchema,
  savedScheduleSchema,
  scheduleFactSchema,
  type Limits,
  type Placement,
  type Placements,
  type RunRequest,
  type SavedSchedule,
  type ScheduledRun,
  type ScheduleFact,
} from './facts.ts'
export { openSchedule, type Schedule } from './schedule.ts'
