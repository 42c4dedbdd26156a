export { startService, type RunningService, type ServiceOptions } from './start-service.ts'
export { reportPage, type ReportedRun } from './report-page.ts'
