import { donecheckVersion } from '@donecheck/engine/internal/base'
import { routes } from './route.ts'
import { questionRoutes } from './routes/questions.ts'
import { recordRoutes } from './routes/records.ts'
import { runRoutes } from './routes/runs.ts'

/** All routes under `/api`; the app, the OpenAPI document and the client are built from them. */
export const api = routes().route('/', questionRoutes).route('/', runRoutes).route('/', recordRoutes)

api.openAPIRegistry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' })

export function openApiDocument(): object {
  return api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'donecheck',
      version: donecheckVersion,
      description:
        'Runs, approvals and receipts. Every request needs "Authorization: Bearer TOKEN" or the login cookie.',
    },
  })
}

export type { LaunchedRun, RunLauncher, StartRequest, TopUpRequest } from './launcher.ts'
export { needsRole, type Environment } from './route.ts'
export { errorResponse, Problem, problemCodes, toProblem } from './shapes.ts'
export type { AnswerRequest, Question, Session } from './routes/questions.ts'
export type { Figures, Insights, TreeChanges } from './routes/records.ts'
export type { RunDetailsResponse } from './routes/runs.ts'
export { buildRunItem, createWorkplace, type RunItem, type Workplace } from './workplace.ts'
