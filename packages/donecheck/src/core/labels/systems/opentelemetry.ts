import { cap, end, everyCap, everyEnd, everyTurn, neither, none, turn, word } from '../entries.ts'
import { vocabulary, type ForeignSystem } from '../vocabulary.ts'

const noWord = 'not among the proposed values; the attribute is left out'
const ofLastReply = 'it is about one reply of the model, which has its own reason'

/** Proposed and open: values may still change. Of all that has been proposed, so that each is read. */
const agentFinishReason = vocabulary(
  [
    'completed',
    'guardrail',
    'max_iterations',
    'max_tokens',
    'time_budget',
    'cancelled',
    'error',
    'handoff',
    'tool_failure',
  ],
  {
    field: 'gen_ai.agent.finish_reason (proposed)',
    isComplete: true,
    successWords: ['completed'],
    ends: {
      task_complete: word('completed'),
      verifier_failed_unrecoverable: none(noWord),
      tampered: word('guardrail', 'a safety rule ended the run'),
      diminishing: none(noWord),
      stagnated: none(noWord),
      model_ended: none('only completed is near, and it says that the task is done'),
      blocked: none(noWord),
      awaiting_approval: none('the run is not finished; the attribute is left out'),
      permission_denied: word('guardrail', 'a policy ended the run'),
      user_interrupt: word('cancelled'),
      error: word('error'),
    },
    caps: {
      turns: word('max_iterations'),
      'model-calls': word('max_iterations', 'nearest: a limit of steps'),
      'tool-calls': word('max_iterations', 'nearest: a limit of steps'),
      tokens: word('max_tokens'),
      cost: none(noWord),
      time: word('time_budget'),
    },
    loops: word('guardrail', 'nearest: a rule of the runtime ended the run'),
    turns: everyTurn(none('it is set once, at the end of the invocation')),
    ours: {
      completed: end('model_ended', 'the agent decided it; nothing is known of a check'),
      guardrail: end('permission_denied'),
      max_iterations: cap('iterations'),
      max_tokens: cap('tokens'),
      time_budget: cap('wall_clock'),
      cancelled: end('user_interrupt'),
      error: end('error'),
      handoff: neither('another agent goes on; nothing ended'),
      tool_failure: end('error', 'a critical tool failed for good'),
    },
  },
)

/** Custom values are allowed; those of the instrumentation are documented here, as the conventions ask. */
const errorType = vocabulary(
  [
    '_OTHER',
    'verifier_failed_unrecoverable',
    'tampered',
    'hard_cap',
    'diminishing',
    'loop_detected',
    'stagnated',
    'model_ended',
    'blocked',
    'awaiting_approval',
    'permission_denied',
    'user_interrupt',
  ],
  {
    field: 'error.type',
    isComplete: false,
    successWords: [],
    isSuccessWhenAbsent: true,
    ends: {
      task_complete: none('left out: the operation succeeded'),
      verifier_failed_unrecoverable: word('verifier_failed_unrecoverable'),
      tampered: word('tampered'),
      diminishing: word('diminishing'),
      stagnated: word('stagnated'),
      model_ended: word('model_ended', 'no error, and not to be read as a success either'),
      blocked: word('blocked'),
      awaiting_approval: word('awaiting_approval', 'no error, and not to be read as a success either'),
      permission_denied: word('permission_denied'),
      user_interrupt: word('user_interrupt'),
      error: word('_OTHER', 'or the class of the error, where it is known'),
    },
    caps: everyCap(word('hard_cap')),
    loops: word('loop_detected'),
    turns: everyTurn(none('left out: a turn that goes on is no error')),
    ours: {
      _OTHER: end('error'),
      verifier_failed_unrecoverable: end('verifier_failed_unrecoverable'),
      tampered: end('tampered'),
      hard_cap: end('hard_cap'),
      diminishing: end('diminishing'),
      loop_detected: end('loop_detected'),
      stagnated: end('stagnated'),
      model_ended: end('model_ended'),
      blocked: end('blocked'),
      awaiting_approval: end('awaiting_approval'),
      permission_denied: end('permission_denied'),
      user_interrupt: end('user_interrupt'),
    },
  },
)

const responseFinishReasons = vocabulary(['stop', 'length', 'content_filter', 'tool_call', 'error'], {
  field: 'gen_ai.response.finish_reasons',
  isComplete: true,
  successWords: ['stop'],
  ends: { ...everyEnd(none(ofLastReply)), error: word('error', 'where it was the model call that failed') },
  caps: everyCap(none(ofLastReply)),
  loops: none(ofLastReply),
  turns: {
    ...everyTurn(none(ofLastReply)),
    tool_calls: word('tool_call'),
    nudge_budget_left: word('stop'),
    max_output_recovery: word('length'),
  },
  ours: {
    stop: end('model_ended', 'the model stopped by itself; a check may still turn it into feedback'),
    length: turn('max_output_recovery'),
    content_filter: end('blocked'),
    tool_call: turn('tool_calls'),
    error: end('error'),
  },
})

export const openTelemetry: ForeignSystem = {
  id: 'opentelemetry',
  title: 'OpenTelemetry, GenAI conventions',
  seenIn: 'semantic conventions 1.41, status Development',
  vocabularies: [agentFinishReason, errorType, responseFinishReasons],
}
