export { embeddedId, embeddedSource, service } from './service.ts'
export type {
  Explanation,
  Figures,
  Group,
  Insights,
  OpenCheck,
  Question,
  Role,
  RunDetails,
  RunItem,
  RunsPage,
  Session,
  TreeChanges,
} from './shapes.ts'
export { SourceError } from './source.ts'
export type { Answer, InsightsQuery, RunsQuery, Service, Source } from './source.ts'
