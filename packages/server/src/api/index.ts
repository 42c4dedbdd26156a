export { errorAnswer, openApiDocument } from './openapi.ts'
export {
  Problem,
  problemCodes,
  problemOf,
  type ProblemCode,
  type Call,
  type LaunchedRun,
  type Route,
  type RunLauncher,
  type Workplace,
} from './route.ts'
export type { StartRequest, TopUpRequest } from './shapes.ts'
export { routeTable } from './table.ts'
export { workplaceOf } from './workplace.ts'
