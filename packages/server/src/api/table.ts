/** Everything that can be asked under `/api`: the application, the check of roles, the OpenAPI document and the tests read this table. */
import type { Route } from './route.ts'
import { questionRoutes } from './routes/questions.ts'
import { recordRoutes } from './routes/records.ts'
import { runRoutes } from './routes/runs.ts'
import { sessionRoutes } from './routes/session.ts'
import { workRoutes } from './routes/work.ts'

export const routeTable: readonly Route[] = [
  ...sessionRoutes,
  ...runRoutes,
  ...workRoutes,
  ...questionRoutes,
  ...recordRoutes,
]
