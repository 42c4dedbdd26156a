/** The service: runs of a store over HTTP, and the page that shows them. */

// the service
export { startService } from './start-service.ts'
export type { RunningService, ServiceOptions } from './start-service.ts'

// a run as one file
export { reportPage } from './report-page.ts'
export type { ReportedRun } from './report-page.ts'
