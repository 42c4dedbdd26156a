import { cap, end, everyCap, everyEnd, everyTurn, none, word } from '../entries.ts'
import { vocabulary, type ForeignSystem } from '../vocabulary.ts'

const general = 'its general word for what went wrong'

const status = vocabulary(['FINISHED', 'STUCK', 'ERROR', 'MaxIterationsReached', 'MaxBudgetReached'], {
  field: 'status, or code of ERROR',
  isComplete: false,
  successWords: ['FINISHED'],
  ends: {
    ...everyEnd(word('ERROR', general)),
    task_complete: word('FINISHED'),
    diminishing: word('STUCK', 'nearest: it does not get on'),
    stagnated: word('STUCK', 'nearest: it does not get on'),
    model_ended: word('ERROR', 'its own word for this is FINISHED, which reads as success'),
    awaiting_approval: none('no word for it is known'),
    user_interrupt: none('no word for it is known'),
    error: word('ERROR'),
  },
  caps: {
    turns: word('MaxIterationsReached'),
    'model-calls': word('MaxIterationsReached', 'nearest: a limit of steps'),
    'tool-calls': word('MaxIterationsReached', 'nearest: a limit of steps'),
    tokens: word('MaxBudgetReached', 'nearest: its budget is one of money'),
    cost: word('MaxBudgetReached'),
    time: word('ERROR', general),
  },
  loops: word('STUCK'),
  turns: everyTurn(none('the conversation goes on')),
  ours: {
    FINISHED: end('model_ended', 'the agent said so; nothing is known of a check'),
    STUCK: end('loop_detected'),
    ERROR: end('error'),
    MaxIterationsReached: cap('iterations'),
    MaxBudgetReached: cap('cost'),
  },
})

const capped = 'its only word for a goal that was not reached'

const goalOutcome = vocabulary(['complete', 'capped'], {
  field: 'outcome of run_goal',
  isComplete: true,
  successWords: ['complete'],
  ends: { ...everyEnd(word('capped', capped)), task_complete: word('complete') },
  caps: { ...everyCap(word('capped', capped)), turns: word('capped') },
  loops: word('capped', capped),
  turns: everyTurn(none('an outcome stands at the end only')),
  ours: {
    complete: end('model_ended', 'a judge that reads the transcript gives it; no check is run'),
    capped: cap('iterations'),
  },
})

export const openHands: ForeignSystem = {
  id: 'openhands',
  title: 'OpenHands software agent SDK',
  seenIn: 'sources of August 2026',
  vocabularies: [status, goalOutcome],
}
