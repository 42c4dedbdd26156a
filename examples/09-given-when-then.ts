/** The test kit: say what happened, ask what the loop decides. No model, no files, no time passes. */
import type { Rule } from 'donecheck'
import {
  begun,
  checked,
  claimed,
  edited,
  failedVerdict,
  given,
  passedVerdict,
  standardJudgement,
} from '@donecheck/core/testing'

const redAtFirst = begun({ verifiers: ['npm test'] }, failedVerdict('npm test'))

// A claim does not end a run while the check is red.
given(redAtFirst, claimed(1, 'All done!'), checked('claim', failedVerdict('npm test')))
  .whenDecided()
  .then({ kind: 'continue', transition: { reason: 'verifier_feedback' } })
console.log('a claim with a red check goes on')

// A check that turned green does, without any claim.
given(redAtFirst, edited(1, 'tree-1'), checked('change', passedVerdict('npm test')))
  .whenDecided()
  .then({ kind: 'stop', transition: { reason: 'task_complete', outcome: 'verified' } })
console.log('a check that turned green ends the run')

// A rule of your own is tested in the same way: it may end a run, but never as a success.
const impatience: Rule = ({ sequence, checks }) =>
  (checks['npm test']?.failureStreak ?? 0) < 2
    ? undefined
    : {
        rule: 'impatience',
        level: 'stop',
        message: 'the same check failed twice in a row',
        numbers: { failures: 2 },
        basedOn: [sequence],
        stop: { reason: 'stagnated' },
      }
const rules = [...standardJudgement.rules, impatience]
given(
  redAtFirst,
  claimed(1),
  checked('claim', failedVerdict('npm test')),
  claimed(2),
  checked('claim', failedVerdict('npm test')),
)
  .afterNotes({ rules })
  .whenDecided({ rules })
  .then({ kind: 'stop', transition: { reason: 'stagnated', outcome: 'exhausted' } })
console.log('a rule of your own ends the run as exhausted')

// prints: a rule of your own ends the run as exhausted
