import { cap, end, everyCap, everyTurn, none, word } from '../entries.ts'
import { vocabulary, type ForeignSystem } from '../vocabulary.ts'

const nearestLimit = 'nearest: its only word for a limit that is not one of tokens'
const nearestRefusal = 'nearest: the agent side does not go on; clients leave the turn out of the next prompt'

export const agentClientProtocol: ForeignSystem = {
  id: 'acp',
  title: 'Agent Client Protocol',
  seenIn: 'protocol version 1',
  vocabularies: [
    vocabulary(['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled'], {
      field: 'stopReason',
      isComplete: true,
      successWords: ['end_turn'],
      ends: {
        task_complete: word('end_turn'),
        verifier_failed_unrecoverable: word('refusal', nearestRefusal),
        tampered: word('refusal', nearestRefusal),
        diminishing: word('max_turn_requests', nearestLimit),
        stagnated: word('max_turn_requests', nearestLimit),
        model_ended: none('only end_turn is near, and it says that the turn ended successfully'),
        blocked: word('refusal', nearestRefusal),
        awaiting_approval: none('permission is asked for in mid-turn; there is no stop reason for it'),
        permission_denied: word('refusal', nearestRefusal),
        user_interrupt: word('cancelled'),
        error: none('an error of the request, not a stop reason'),
      },
      caps: {
        ...everyCap(word('max_turn_requests', nearestLimit)),
        turns: word('max_turn_requests'),
        'model-calls': word('max_turn_requests'),
        tokens: word('max_tokens'),
      },
      loops: word('max_turn_requests', nearestLimit),
      turns: everyTurn(none('the protocol has stop reasons only for the end of a prompt turn')),
      ours: {
        end_turn: end('model_ended', 'nothing is known of a check'),
        max_tokens: cap('tokens'),
        max_turn_requests: cap('model_calls'),
        refusal: end('blocked'),
        cancelled: end('user_interrupt'),
      },
    }),
  ],
}
