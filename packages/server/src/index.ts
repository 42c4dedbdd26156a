/** The service: runs of a store over HTTP, and the page that shows them. */

// the service
export { startService } from './http/index.ts'
export type { RunningService, ServiceOptions } from './http/index.ts'

// what others are told
export { storeMetrics } from './metrics/index.ts'
export { readWebhookSecret, startWebhooks } from './webhooks/index.ts'
export type { WebhookOptions, Webhooks } from './webhooks/index.ts'

// a run as one file
export { reportPage } from './http/index.ts'
export type { ReportedRun } from './http/index.ts'

// what starts runs for it
export type { LaunchedRun, RunLauncher, StartRequest, TopUpRequest } from './api/index.ts'

// who may ask
export { isLoopback, readTokenFile } from './access/index.ts'
export type { ListenAddress, Role, User, Users } from './access/index.ts'

// what can be asked
export { openApiDocument } from './api/index.ts'
