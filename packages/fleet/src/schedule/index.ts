export { openSchedule, type Schedule } from './schedule.ts'
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
