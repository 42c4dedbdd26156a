/** Everything that can be asked under `/api`: the application, the check of roles, the OpenAPI document and the tests read this table. */
import type { Route } from './route.ts'
import { questionRoutes, sessionRoutes } from './routes/questions.ts'
import { recordRoutes } from './routes/records.ts'
import { runRoutes, workRoutes } from './routes/runs.ts'

export const routeTable = [
  ...sessionRoutes,
  ...runRoutes,
  ...workRoutes,
  ...questionRoutes,
  ...recordRoutes,
] satisfies readonly Route[]
