/** The service: runs of a store over HTTP, and the page that shows them. */

// the service
export { startService, reportPage } from './http/index.ts'
export type { RunningService, ServiceOptions, ReportedRun } from './http/index.ts'

// what others are told
export { storeMetrics } from './metrics/index.ts'
export { readWebhookSecret, startWebhooks, type WebhookOptions, type Webhooks } from './webhooks/index.ts'

// who may ask
export { isLoopback, readTokenFile } from './access/index.ts'
export type { ListenAddress, Role, User, Users } from './access/index.ts'

// what can be asked
export { openApiDocument } from './api/index.ts'
export type { LaunchedRun, RunLauncher, StartRequest, TopUpRequest } from './api/index.ts'
