/** The service as it listens: what is asked of every request, and the files of the page. */
export { startService, type RunningService, type ServiceOptions } from './start-service.ts'
export { reportPage, type ReportedRun } from './report-page.ts'
