/** What can be asked of the service under `/api`. */
export { errorAnswer, openApiDocument } from './openapi.ts'
export { Problem, problemCodes, problemOf, type ProblemCode } from './problem.ts'
export type { Call, LaunchedRun, Route, RunLauncher, Workplace } from './route.ts'
export type { StartRequest, TopUpRequest } from './shapes/runs.ts'
export { routeTable } from './table.ts'
export { workplaceOf } from './workplace.ts'
