import { donecheckVersion } from '@donecheck/engine/internal/base'
import { routes } from './route.ts'
import { questionRoutes } from './routes/questions.ts'
import { recordRoutes } from './routes/records.ts'
import { runRoutes } from './routes/runs.ts'

/** All routes under `/api`: the application, the document, the client and the tests of roles read them. */
export const api = routes().route('/', questionRoutes).route('/', runRoutes).route('/', recordRoutes)

api.openAPIRegistry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' })

export function openApiDocument(): object {
  return api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'donecheck',
      version: donecheckVersion,
      description:
        'Runs, approvals and receipts. Every request carries "Authorization: Bearer TOKEN", or the cookie of a login.',
    },
  })
}

export type { LaunchedRun, RunLauncher, StartRequest, TopUpRequest } from './launcher.ts'
export { needsRole, type Environment } from './route.ts'
export { errorAnswer, Problem, problemCodes, toProblem } from './shapes.ts'
export type { AnswerRequest, Question, Session } from './routes/questions.ts'
export type { Figures, Insights, TreeChanges } from './routes/records.ts'
export type { WholeRun } from './routes/runs.ts'
export { itemOf, workplaceOf, type RunItem, type Workplace } from './workplace.ts'
