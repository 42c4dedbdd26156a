/** The page reads answers by shapes of its own, for it knows the core alone: the compiler holds them to the routes of the service. */
import type { Answers } from '@donecheck/server/client'
import { expectTypeOf, it } from 'vitest'
import type { Insights, Question, RunDetails, RunItem, RunsPage, Session, TreeChanges } from './shapes.ts'

/** What the page reads of each answer. Events are the core's own type, and are read as they are stored. */
interface Readers {
  'GET /api/session': Session
  'GET /api/runs': RunsPage
  'GET /api/runs/{id}': RunDetails
  'GET /api/runs/{id}/summary': { run: RunItem }
  'GET /api/runs/{id}/changes': TreeChanges
  'GET /api/questions': { questions: Question[] }
  'GET /api/insights': Insights
}

/** Routes whose answers the page would not take. */
type Unfit = {
  [Name in keyof Readers]: Answers[Name] extends Readers[Name] ? never : Name
}[keyof Readers]

it('every answer of the service has the shape that the page reads', () => {
  expectTypeOf<Unfit>().toBeNever()
})
