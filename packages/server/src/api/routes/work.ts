/** Runs, begun, gone on with, stopped, and their goals changed. */
import { goalControl } from '@donecheck/engine/compose'
import { cancelRun, startRun, resumeRun } from '../launch.ts'
import { summaryOf } from '../find-run.ts'
import { get, noQuery, post } from '../route.ts'
import {
  cancelAnswer,
  cancelRequest,
  goalReport,
  goalRequest,
  resumeRequest,
  startAnswer,
  startRequest,
} from '../shapes/runs.ts'

const start = post({
  path: '/api/runs',
  role: 'run',
  summary: 'Begins a run; with the header Idempotency-Key the same request again gives the same run',
  body: startRequest,
  answers: startAnswer,
  status: 202,
  async handle({ place, user, body, header }) {
    return { runId: await startRun(place, body, user.name, header('idempotency-key')) }
  },
})

const resume = post({
  path: '/api/runs/:id/resume',
  role: 'run',
  summary: 'Goes on with a run that has stopped, with more budget where it is given',
  body: resumeRequest,
  answers: startAnswer,
  status: 202,
  async handle({ place, id, body }) {
    await resumeRun(place, id, body.topUp ?? {})
    return { runId: id }
  },
})

const cancel = post({
  path: '/api/runs/:id/cancel',
  role: 'run',
  summary: 'Interrupts a run; it can be resumed',
  body: cancelRequest,
  answers: cancelAnswer,
  handle: async ({ place, id, user, body }) => ({ how: await cancelRun(place, id, user.name, body.reason) }),
})

const goal = get({
  path: '/api/runs/:id/goal',
  role: 'read',
  summary: 'The goal of a run, its parts, and what was asked for and is not answered yet',
  query: noQuery,
  answers: goalReport,
  async handle({ place, id }) {
    await summaryOf(place.store, id)
    return goalControl(place.store).show(id)
  },
})

const changeGoal = post({
  path: '/api/runs/:id/goal',
  role: 'run',
  summary: 'Asks for a change of the goal; the run answers before its next turn, or when it is resumed',
  body: goalRequest,
  answers: goalReport,
  async handle({ place, id, user, body: { change, goalId } }) {
    await summaryOf(place.store, id)
    const control = goalControl(place.store)
    await control.change(id, change, { by: user.name, ...(goalId === undefined ? {} : { goalId }) })
    return control.show(id)
  },
})

export const workRoutes = [start, resume, cancel, goal, changeGoal]
