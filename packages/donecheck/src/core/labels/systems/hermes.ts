import { end, everyCap, everyEnd, everyTurn, none, turn, word, cap } from '../entries.ts'
import { vocabulary, type ForeignSystem } from '../vocabulary.ts'

const nameOnly = 'known by name only, so it is taken as an error'
const noReason = 'no exit reason is known for this'

const turnExitReason = vocabulary(
  [
    'text_response(…)',
    'unknown',
    'budget_exhausted',
    'max_iterations_reached(n/m)',
    'guardrail_halt',
    'interrupted_by_user',
    'interrupted_during_api_call',
    'review_input_budget_exhausted',
    'session_persistence_failed',
    'pending_tool_result',
    'empty_response_exhausted',
    'all_retries_exhausted_no_response',
    'interpreter_shutdown',
    'local_processing_error(…)',
    'repeated_outer_errors',
    'error_near_max_iterations',
    'context_compression_timeout',
    'context_compression_exhausted',
    'ollama_runtime_context_too_small',
    'redirect_restart_limit_exceeded',
    'rebuilt_restart_limit_exceeded',
    'compaction_handoff_not_actionable',
    'partial_stream_recovery',
  ],
  {
    field: 'turn_exit_reason',
    isComplete: true,
    successWords: ['text_response(…)'],
    ends: {
      task_complete: word('text_response(…)'),
      verifier_failed_unrecoverable: none(noReason),
      tampered: none(noReason),
      diminishing: none(noReason),
      stagnated: none(noReason),
      model_ended: none('its word for this is text_response, which sets completed and reads as success'),
      blocked: none('the judge of its goals has the word, an exit reason for it is not known'),
      awaiting_approval: none(noReason),
      permission_denied: none(noReason),
      user_interrupt: word('interrupted_by_user'),
      error: word('unknown', 'or the word for the cause'),
    },
    caps: {
      turns: word('max_iterations_reached(n/m)', 'or budget_exhausted, before its last summary'),
      'model-calls': word('max_iterations_reached(n/m)', 'one iteration there is one model request'),
      'tool-calls': none('it bounds single tools only, and refuses the call'),
      tokens: none(noReason),
      cost: none(noReason),
      time: none('no exit reason is known for its wall-clock budget'),
    },
    loops: word('guardrail_halt'),
    turns: everyTurn(none('an exit reason stands at the end only')),
    ours: {
      'text_response(…)': end('model_ended', 'the loop ended normally; nothing is known of a check'),
      unknown: end('error'),
      budget_exhausted: cap('iterations'),
      'max_iterations_reached(n/m)': cap('iterations'),
      guardrail_halt: end('loop_detected', 'which detector stands in its guardrail field'),
      interrupted_by_user: end('user_interrupt'),
      interrupted_during_api_call: end('user_interrupt'),
      review_input_budget_exhausted: end('hard_cap', 'known by name only'),
      session_persistence_failed: end('error'),
      pending_tool_result: end('error', 'the agent may be stuck'),
      empty_response_exhausted: end('error'),
      all_retries_exhausted_no_response: end('error'),
      interpreter_shutdown: end('error'),
      'local_processing_error(…)': end('error'),
      repeated_outer_errors: end('error'),
      error_near_max_iterations: end('error'),
      context_compression_timeout: end('error'),
      context_compression_exhausted: end('error'),
      ollama_runtime_context_too_small: end('error', 'refused before it reached the provider'),
      redirect_restart_limit_exceeded: end('error'),
      rebuilt_restart_limit_exceeded: end('error', nameOnly),
      compaction_handoff_not_actionable: end('error', nameOnly),
      partial_stream_recovery: end('error', nameOnly),
    },
  },
)

const goesOn = word('continue')

const goalVerdict = vocabulary(['done', 'blocked', 'continue', 'wait'], {
  field: 'verdict on a goal',
  isComplete: true,
  successWords: ['done'],
  ends: {
    ...everyEnd(word('blocked', 'nearest: the goal is paused, never done')),
    task_complete: word('done'),
    blocked: word('blocked'),
    model_ended: none('it has no verdict for this'),
    awaiting_approval: word('wait', 'nearest: there it waits for a process or a time'),
    user_interrupt: none('no verdict is asked for'),
    error: none('no verdict is asked for'),
  },
  caps: everyCap(none('the goal is paused without a verdict')),
  loops: word('blocked', 'nearest: the goal is paused, never done'),
  turns: everyTurn(goesOn),
  ours: {
    done: end('model_ended', 'a judge that reads the reply gives it, after the gates, where there are any'),
    blocked: end('blocked'),
    continue: turn('verifier_feedback'),
    wait: turn('nudge_budget_left', 'the goal is parked and goes on when the wait is over'),
  },
})

const gateOnly = 'the gates mark only a reply that they keep from ending the turn'

const gateFinishReason = vocabulary(
  ['verification_required', 'verify_hook_continue', 'kanban_terminal_required'],
  {
    field: 'finish_reason of a stop gate',
    isComplete: true,
    successWords: [],
    ends: everyEnd(none(gateOnly)),
    caps: everyCap(none(gateOnly)),
    loops: none(gateOnly),
    turns: { ...everyTurn(none(gateOnly)), verifier_feedback: word('verification_required') },
    ours: {
      verification_required: turn('verifier_feedback'),
      verify_hook_continue: turn('verifier_feedback'),
      kanban_terminal_required: turn('verifier_feedback'),
    },
  },
)

export const hermes: ForeignSystem = {
  id: 'hermes',
  title: 'Hermes Agent',
  seenIn: 'sources of 2026; some constants differ between versions',
  vocabularies: [turnExitReason, goalVerdict, gateFinishReason],
}
