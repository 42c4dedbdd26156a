import { cap, everyCap, everyEnd, everyTurn, none, turn, word } from '../entries.ts'
import { vocabulary, type ForeignSystem } from '../vocabulary.ts'

const noCommonWord = 'there is no word that many have in common'

/** Words of no system in particular: they stand in the logs of loops that were written after the example of others. */
export const inCommonUse: ForeignSystem = {
  id: 'in-common-use',
  title: 'Words in common use',
  seenIn: 'loops of many authors, without a list of their own',
  vocabularies: [
    vocabulary(['token_budget_exhausted', 'stop_hook_block'], {
      field: 'reason',
      isComplete: false,
      successWords: [],
      ends: everyEnd(none(noCommonWord)),
      caps: { ...everyCap(none(noCommonWord)), tokens: word('token_budget_exhausted') },
      loops: none(noCommonWord),
      turns: { ...everyTurn(none(noCommonWord)), verifier_feedback: word('stop_hook_block') },
      ours: {
        token_budget_exhausted: cap('tokens'),
        stop_hook_block: turn(
          'verifier_feedback',
          'a hook held the claim, and its reason went back to the model',
        ),
      },
    }),
  ],
}
