import { cap, end, everyCap, everyEnd, everyTurn, none, word } from '../entries.ts'
import { vocabulary, type ForeignSystem } from '../vocabulary.ts'

const aborted = 'its only other word for a run that did not succeed'

export const ralphLoopAgent: ForeignSystem = {
  id: 'ralph-loop-agent',
  title: 'ralph-loop-agent',
  seenIn: '0.0.3',
  vocabularies: [
    vocabulary(['verified', 'max-iterations', 'aborted'], {
      field: 'reason',
      isComplete: true,
      successWords: ['verified'],
      ends: {
        ...everyEnd(word('aborted', aborted)),
        task_complete: word('verified'),
        user_interrupt: word('aborted'),
      },
      caps: {
        ...everyCap(word('max-iterations', 'it has one word for every cap')),
        turns: word('max-iterations'),
      },
      loops: word('aborted', aborted),
      turns: everyTurn(none('a reason stands at the end only')),
      ours: {
        verified: end('model_ended', "the user's function said so; its evidence does not come with the word"),
        'max-iterations': cap('iterations', 'or any other cap; also work that was finished in the last one'),
        aborted: end('user_interrupt'),
      },
    }),
  ],
}
