import { end, everyCap, everyTurn, none, word } from '../entries.ts'
import { vocabulary, type ForeignSystem } from '../vocabulary.ts'

const noProgress = 'nearest: the budget is not worth spending'

export const loopEngineer: ForeignSystem = {
  id: 'loop-engineer',
  title: 'loop-engineer',
  seenIn: '0.12',
  vocabularies: [
    vocabulary(
      [
        'Succeeded',
        'FailedUnverifiable',
        'FailedBlocked',
        'FailedBudget',
        'FailedSafety',
        'FailedSpecGap',
        'AbortedByHuman',
      ],
      {
        field: 'end state',
        isComplete: true,
        successWords: ['Succeeded'],
        ends: {
          task_complete: word('Succeeded'),
          verifier_failed_unrecoverable: word('FailedSpecGap', 'nearest: no turn can satisfy the check'),
          tampered: word('FailedSafety', 'nearest by name'),
          diminishing: word('FailedBudget', noProgress),
          stagnated: word('FailedBudget', noProgress),
          model_ended: word('FailedUnverifiable'),
          blocked: word('FailedBlocked'),
          awaiting_approval: word('FailedBlocked', 'nearest: there it is an end, here it may go on'),
          permission_denied: word('FailedSafety', 'nearest by name'),
          user_interrupt: word('AbortedByHuman'),
          error: none('it has no word for a fault of the program'),
        },
        caps: everyCap(word('FailedBudget')),
        loops: word('FailedBudget', noProgress),
        turns: everyTurn(none('a state stands at the end only')),
        ours: {
          Succeeded: end('model_ended', 'its own checks passed; their evidence does not come with the word'),
          FailedUnverifiable: end('model_ended'),
          FailedBlocked: end('blocked'),
          FailedBudget: end('hard_cap', 'which budget is not said'),
          FailedSafety: end('permission_denied'),
          FailedSpecGap: end('blocked', 'the demand is not clear enough'),
          AbortedByHuman: end('user_interrupt'),
        },
      },
    ),
  ],
}
