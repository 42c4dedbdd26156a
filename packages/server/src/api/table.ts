/** All routes under `/api`, read by the application, the role check, the OpenAPI document and the tests. */
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
