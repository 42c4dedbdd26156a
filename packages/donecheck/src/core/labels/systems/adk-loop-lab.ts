import { end, everyCap, everyEnd, everyTurn, neither, none, turn, word } from '../entries.ts'
import { vocabulary, type ForeignSystem } from '../vocabulary.ts'

const nearestBudget = 'nearest: it bounds no tokens and no cost'
const nearestStall = 'nearest: it sees only that the score does not rise'

const decision = vocabulary(
  ['CONTINUE', 'SUCCESS', 'FAILED', 'BLOCKED', 'ESCALATE', 'BUDGET_EXHAUSTED', 'STAGNATED'],
  {
    field: 'Decision',
    isComplete: true,
    successWords: ['SUCCESS'],
    ends: {
      task_complete: word('SUCCESS'),
      verifier_failed_unrecoverable: word('FAILED', 'it gives the same for a fault of the program'),
      tampered: word('FAILED', 'it does not look for tampering'),
      diminishing: word('STAGNATED', nearestStall),
      stagnated: word('STAGNATED'),
      model_ended: word('BUDGET_EXHAUSTED', 'without an evaluator a run there ends so, or as STAGNATED'),
      blocked: word('BLOCKED', 'no code path gives it'),
      awaiting_approval: word('ESCALATE', 'no code path gives it'),
      permission_denied: word('BLOCKED', 'no code path gives it'),
      user_interrupt: none('an interrupt is not caught'),
      error: word('FAILED'),
    },
    caps: {
      ...everyCap(word('BUDGET_EXHAUSTED')),
      tokens: word('BUDGET_EXHAUSTED', nearestBudget),
      cost: word('BUDGET_EXHAUSTED', nearestBudget),
    },
    loops: word('STAGNATED', nearestStall),
    turns: everyTurn(word('CONTINUE')),
    ours: {
      CONTINUE: turn('verifier_feedback'),
      SUCCESS: end('model_ended', 'the evaluators passed; their evidence does not come with the word'),
      FAILED: end('error'),
      BLOCKED: end('blocked'),
      ESCALATE: end('awaiting_approval'),
      BUDGET_EXHAUSTED: end('hard_cap', 'which limit it was is not recorded'),
      STAGNATED: end('stagnated'),
    },
  },
)

const everyOther = 'every terminal decision but SUCCESS gives it'

const runStatus = vocabulary(['PENDING', 'RUNNING', 'PAUSED', 'COMPLETED', 'FAILED', 'INTERRUPTED'], {
  field: 'RunStatus',
  isComplete: true,
  successWords: ['COMPLETED'],
  ends: {
    ...everyEnd(word('FAILED', everyOther)),
    task_complete: word('COMPLETED'),
    awaiting_approval: word('PAUSED', 'no code path gives it'),
    user_interrupt: word('INTERRUPTED', 'no code path gives it'),
  },
  caps: everyCap(word('FAILED', everyOther)),
  loops: word('FAILED', everyOther),
  turns: everyTurn(word('RUNNING')),
  ours: {
    PENDING: neither('the run has not begun'),
    RUNNING: turn('tool_calls', 'also for ever after an interrupt, which is not caught'),
    PAUSED: end('awaiting_approval'),
    COMPLETED: end('model_ended', 'the evaluators passed; their evidence does not come with the word'),
    FAILED: end('error', 'also a run that stagnated or used up its budget'),
    INTERRUPTED: end('user_interrupt'),
  },
})

export const adkLoopLab: ForeignSystem = {
  id: 'adk-loop-lab',
  title: 'adk-loop-lab',
  seenIn: '0.1.0',
  vocabularies: [decision, runStatus],
}
