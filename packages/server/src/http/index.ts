/** The service as it listens: what is asked of every request, and the files of the page. */
export { startService } from './start-service.ts'
export type { RunningService, ServiceOptions } from './start-service.ts'
export { reportPage } from './report-page.ts'
export type { ReportedRun } from './report-page.ts'
