import { cap, end, everyCap, everyEnd, everyTurn, neither, none, turn, word } from '../entries.ts'
import { vocabulary, type ForeignSystem } from '../vocabulary.ts'

const impasse = 'nearest: an impasse; it has no word for a failed check'
const goalGoesOn = word('active', 'its only word for a goal that goes on')

const goalStatus = vocabulary(
  ['active', 'paused', 'blocked', 'usage_limited', 'budget_limited', 'complete'],
  {
    field: 'goal status',
    isComplete: true,
    successWords: ['complete'],
    ends: {
      task_complete: word('complete'),
      verifier_failed_unrecoverable: word('blocked', impasse),
      tampered: word('blocked', impasse),
      diminishing: word('blocked', 'nearest: an impasse'),
      stagnated: word('blocked', 'nearest: an impasse'),
      model_ended: none('only complete is near, which the model gives itself and which reads as success'),
      blocked: word('blocked'),
      awaiting_approval: word('paused', 'nearest: it waits for a person'),
      permission_denied: word('blocked', 'nearest: an impasse'),
      user_interrupt: word('paused'),
      error: word('blocked', 'every terminal error of a turn blocks the goal'),
    },
    caps: {
      ...everyCap(none('its only budget is one of tokens')),
      tokens: word('budget_limited'),
    },
    loops: word('blocked', 'nearest: an impasse'),
    turns: everyTurn(goalGoesOn),
    ours: {
      active: turn('nudge_budget_left', 'an idle goal is continued by the program'),
      paused: end('user_interrupt'),
      blocked: end('blocked', 'also after any error of a turn'),
      usage_limited: end('blocked', 'the limit of the account, not of the run'),
      budget_limited: cap('tokens'),
      complete: end('model_ended', 'the model gives it without any check'),
    },
  },
)

const turnFailed = 'its only other words are completed and interrupted'

const turnStatus = vocabulary(['completed', 'interrupted', 'failed'], {
  field: 'turn status',
  isComplete: true,
  successWords: ['completed'],
  ends: {
    ...everyEnd(word('failed', turnFailed)),
    task_complete: word('completed'),
    awaiting_approval: word('interrupted', 'nearest: it may go on later'),
    user_interrupt: word('interrupted'),
    error: word('failed'),
  },
  caps: everyCap(word('failed', turnFailed)),
  loops: word('failed', turnFailed),
  turns: everyTurn(word('completed')),
  ours: {
    completed: end('model_ended', 'a turn ended; not that anything is done'),
    interrupted: end('user_interrupt'),
    failed: end('error'),
  },
})

const execExitCode = vocabulary(['0', '1', '2'], {
  field: 'exit code of exec',
  isComplete: true,
  successWords: ['0'],
  ends: {
    ...everyEnd(word('1', 'its only code for a run that did not succeed')),
    task_complete: word('0'),
    error: word('1'),
  },
  caps: everyCap(word('1', 'its only code for a run that did not succeed')),
  loops: word('1', 'its only code for a run that did not succeed'),
  turns: everyTurn(none('the process goes on')),
  ours: {
    0: end('model_ended', 'a turn ended; not that anything is done'),
    1: end('error', 'a failed turn, wrong configuration, or rules that cannot be read'),
    2: neither('wrong usage: there was no run'),
  },
})

export const codex: ForeignSystem = {
  id: 'codex',
  title: 'Codex',
  seenIn: '0.169',
  vocabularies: [goalStatus, turnStatus, execExitCode],
}
