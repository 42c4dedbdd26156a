import { cap, end, everyCap, everyEnd, everyTurn, loop, neither, none, turn, word } from '../entries.ts'
import { vocabulary, type ForeignSystem } from '../vocabulary.ts'

const onlyLoops = 'the diagnostic is about loops only'
const noSuchDetector = 'it has no such detector'

const loopDetector = vocabulary(
  [
    'generic_repeat',
    'known_poll_no_progress',
    'ping_pong',
    'global_circuit_breaker',
    'unknown_tool_repeat',
    'argument_churn',
  ],
  {
    field: 'detector of tool.loop',
    isComplete: true,
    successWords: [],
    ends: everyEnd(none(onlyLoops)),
    caps: everyCap(none(onlyLoops)),
    loops: none('a detector of the user has no word there'),
    detectors: {
      generic_repeat: word('generic_repeat'),
      known_poll_no_progress: word('known_poll_no_progress'),
      ping_pong: word('ping_pong'),
      global_circuit_breaker: word(
        'global_circuit_breaker',
        'there one and the same call without progress; here calls of any kind',
      ),
      unknown_tool_repeat: word('unknown_tool_repeat'),
      argument_churn: word('argument_churn', 'there it warns and never ends a run'),
      cycle: none(noSuchDetector),
      same_failure: none(noSuchDetector),
      no_op_edit: none(noSuchDetector),
      repeated_reply: none(noSuchDetector),
      thought_loop: none(noSuchDetector),
      failed_check_repeat: none(noSuchDetector),
      busy_wait: none(noSuchDetector),
    },
    turns: everyTurn(none(onlyLoops)),
    ours: {
      generic_repeat: loop('generic_repeat'),
      known_poll_no_progress: loop('known_poll_no_progress'),
      ping_pong: loop('ping_pong'),
      global_circuit_breaker: loop('generic_repeat', 'the streak of one call, so not our breaker'),
      unknown_tool_repeat: loop('unknown_tool_repeat'),
      argument_churn: loop('argument_churn'),
    },
  },
)

const impasse = 'nearest: an impasse; it has no word for a failed check'

const goalState = vocabulary(['active', 'paused', 'blocked', 'budget_limited', 'usage_limited', 'complete'], {
  field: 'session goal state',
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
    error: word('blocked', 'nearest: it cannot go on by itself'),
  },
  caps: {
    ...everyCap(none('its only budget is one of tokens')),
    tokens: word('budget_limited'),
  },
  loops: word('blocked', 'nearest: an impasse'),
  turns: everyTurn(word('active', 'its only word for a goal that goes on')),
  ours: {
    active: turn('nudge_budget_left'),
    paused: end('user_interrupt'),
    blocked: end('blocked'),
    budget_limited: cap('tokens'),
    usage_limited: end('blocked', 'the limit of the account, not of the run'),
    complete: end('model_ended', 'the model gives it without any check'),
  },
})

const notOk = 'its only word for a run that did not succeed'

const waitStatus = vocabulary(['ok', 'error', 'timeout'], {
  field: 'status of agent.wait',
  isComplete: true,
  successWords: ['ok'],
  ends: { ...everyEnd(word('error', notOk)), task_complete: word('ok'), error: word('error') },
  caps: everyCap(word('error', notOk)),
  loops: word('error', notOk),
  turns: everyTurn(none('the run goes on')),
  ours: {
    ok: end('model_ended', 'nothing is known of a check'),
    error: end('error'),
    timeout: neither('the waiting ended, not the run'),
  },
})

export const openclaw: ForeignSystem = {
  id: 'openclaw',
  title: 'OpenClaw',
  seenIn: '2026.9.6',
  vocabularies: [loopDetector, goalState, waitStatus],
}
