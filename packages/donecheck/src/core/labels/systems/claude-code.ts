import { cap, end, everyCap, everyEnd, everyTurn, neither, none, turn, word } from '../entries.ts'
import { vocabulary, type ForeignSystem } from '../vocabulary.ts'

const nameOnly = 'known by name only, so it is taken as an error'
const noWord = 'it has no word for this'
const noVerdict = 'a failed check has no word: it blocks the stop, or is overridden and reads as completed'
const retry = 'a retry within one turn of ours'
const goesOn = 'a terminal reason stands at the end only'

const terminalReason = vocabulary(
  [
    'blocking_limit',
    'rapid_refill_breaker',
    'prompt_too_long',
    'image_error',
    'model_error',
    'api_error',
    'malformed_tool_use_exhausted',
    'aborted_streaming',
    'aborted_tools',
    'stop_hook_prevented',
    'hook_stopped',
    'tool_deferred',
    'max_turns',
    'background_requested',
    'completed',
    'budget_exhausted',
    'structured_output_retry_exhausted',
    'tool_deferred_unavailable',
    'turn_setup_failed',
  ],
  {
    field: 'terminal_reason',
    isComplete: true,
    successWords: ['completed', 'stop_hook_prevented', 'hook_stopped'],
    ends: {
      task_complete: word('completed'),
      verifier_failed_unrecoverable: word(
        'structured_output_retry_exhausted',
        'nearest: its only check whose failure ends a run',
      ),
      tampered: none(noVerdict),
      diminishing: word('budget_exhausted', 'nearest: the budget is not worth spending'),
      stagnated: none(noWord),
      model_ended: none('only completed is near, and it is the word for success'),
      blocked: none(noWord),
      awaiting_approval: word('tool_deferred'),
      permission_denied: none('a denied call is listed in permission_denials, and the run goes on'),
      user_interrupt: word('aborted_streaming', 'or aborted_tools, where tools were running'),
      error: word('model_error', 'or the word for the cause: api_error, prompt_too_long, turn_setup_failed'),
    },
    caps: {
      turns: word('max_turns'),
      'model-calls': word('max_turns', 'nearest: a limit of steps'),
      'tool-calls': word('max_turns', 'nearest: a limit of steps'),
      tokens: word('budget_exhausted'),
      cost: word('budget_exhausted', 'the result of a dollar limit was seen without a terminal reason'),
      time: none(noWord),
    },
    loops: none(noWord),
    turns: everyTurn(none(goesOn)),
    ours: {
      blocking_limit: end('error', nameOnly),
      rapid_refill_breaker: end('error', nameOnly),
      prompt_too_long: end('error'),
      image_error: end('error'),
      model_error: end('error'),
      api_error: end('error', 'was seen to end as completed, with is_error set'),
      malformed_tool_use_exhausted: end('error', 'may end as completed'),
      aborted_streaming: end('user_interrupt'),
      aborted_tools: end('user_interrupt'),
      stop_hook_prevented: end('blocked', "a hook of the user's ended the run; the exit code is 0"),
      hook_stopped: end('blocked', "a hook of the user's ended the run; the exit code is 0"),
      tool_deferred: end('awaiting_approval'),
      max_turns: cap('iterations'),
      background_requested: end('model_ended', 'known by name only; nothing is known of a check'),
      completed: end('model_ended', 'also after a stop hook was overridden; nothing is known of a check'),
      budget_exhausted: end('hard_cap', 'which budget is not said'),
      structured_output_retry_exhausted: end('verifier_failed_unrecoverable'),
      tool_deferred_unavailable: end('blocked'),
      turn_setup_failed: end('error'),
    },
  },
)

const wentWrong = 'its only word for what went wrong otherwise'

const resultSubtype = vocabulary(
  [
    'success',
    'error_during_execution',
    'error_max_turns',
    'error_max_budget_usd',
    'error_max_structured_output_retries',
  ],
  {
    field: 'result subtype',
    isComplete: true,
    successWords: ['success'],
    ends: {
      ...everyEnd(word('error_during_execution', wentWrong)),
      task_complete: word('success'),
      verifier_failed_unrecoverable: word(
        'error_max_structured_output_retries',
        'nearest: its only check whose failure ends a run',
      ),
      error: word('error_during_execution'),
    },
    caps: {
      ...everyCap(word('error_during_execution', wentWrong)),
      turns: word('error_max_turns'),
      'model-calls': word('error_max_turns', 'nearest: a limit of steps'),
      'tool-calls': word('error_max_turns', 'nearest: a limit of steps'),
      cost: word('error_max_budget_usd'),
    },
    loops: word('error_during_execution', wentWrong),
    turns: everyTurn(none('a result stands at the end only')),
    ours: {
      success: end('model_ended', 'also after an API error and an overridden stop hook'),
      error_during_execution: end('error'),
      error_max_turns: cap('iterations'),
      error_max_budget_usd: cap('cost'),
      error_max_structured_output_retries: end('verifier_failed_unrecoverable'),
    },
  },
)

const atEnd = 'a transition stands between turns only'
const noSuchTurn = 'it has no label for this'

const transition = vocabulary(
  [
    'next_turn',
    'stop_hook_blocking',
    'thinking_only_retry',
    'malformed_tool_use_retry',
    'max_output_tokens_recovery',
    'refusal_retry',
    'truncated_response_recovery',
    'whole_text_withdrawn',
    'message_pdf_withdrawn',
    'prompt_as_file',
  ],
  {
    field: 'transition',
    isComplete: true,
    successWords: [],
    ends: everyEnd(none(atEnd)),
    caps: everyCap(none(atEnd)),
    loops: none(atEnd),
    turns: {
      tool_calls: word('next_turn'),
      verifier_feedback: word('stop_hook_blocking'),
      nudge_budget_left: none('the label of its token budget is not in the builds that are shipped'),
      max_output_recovery: word('max_output_tokens_recovery'),
      approval_given: none(noSuchTurn),
      goal_changed: none(noSuchTurn),
      steering: none(noSuchTurn),
    },
    ours: {
      next_turn: turn('tool_calls'),
      stop_hook_blocking: turn('verifier_feedback'),
      thinking_only_retry: neither(retry),
      malformed_tool_use_retry: turn('tool_calls', 'ours tells the refusal as the result of the call'),
      max_output_tokens_recovery: turn('max_output_recovery'),
      refusal_retry: neither(retry),
      truncated_response_recovery: turn('max_output_recovery'),
      whole_text_withdrawn: neither('known by name only'),
      message_pdf_withdrawn: neither('known by name only'),
      prompt_as_file: neither('known by name only'),
    },
  },
)

export const claudeCode: ForeignSystem = {
  id: 'claude-code',
  title: 'Claude Code',
  seenIn: '2.1.197 to 2.1.329',
  vocabularies: [terminalReason, resultSubtype, transition],
}
