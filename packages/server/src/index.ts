/** Serves the runs of a store over HTTP, with a web UI. */

export { startService, reportPage } from './http/index.ts'
export type { RunningService, ServiceOptions, ReportedRun } from './http/index.ts'

export { storeMetrics } from './metrics/index.ts'
export { readWebhookSecret, startWebhooks, type WebhookOptions, type Webhooks } from './webhooks/index.ts'

export { isLoopback, readTokenFile } from './access/index.ts'
export type { ListenAddress, Role, User, Users } from './access/index.ts'

export { openApiDocument } from './api/index.ts'
export type { LaunchedRun, RunLauncher, StartRequest, TopUpRequest } from './api/index.ts'
