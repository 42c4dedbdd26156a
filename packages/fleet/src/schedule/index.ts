/** Which worker takes which run next: pure, for the coordinator and the simulator. */
export {
  limitsSchema,
  savedScheduleSchema,
  scheduleFactSchema,
  type Limits,
  type Placement,
  type Placements,
  type RunRequest,
  type SavedSchedule,
  type ScheduleFact,
} from './facts.ts'
export { openSchedule, type Schedule } from './schedule.ts'
