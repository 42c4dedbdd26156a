/** The service: runs of a store over HTTP, and the page that shows them. */
export { startService } from './start-service.ts'
export type { RunningService, ServiceOptions } from './start-service.ts'
