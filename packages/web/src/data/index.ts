export type {
  AnswerRequest,
  Figures,
  Insights,
  Question,
  RunItem,
  Session,
  TreeChanges,
} from '@donecheck/server/client'
export { embeddedId, embeddedSource, service } from './service.ts'
export type {
  EventsPage,
  InsightsQuery,
  RunDetails,
  RunsPage,
  RunsQuery,
  Service,
  Source,
} from './service.ts'
