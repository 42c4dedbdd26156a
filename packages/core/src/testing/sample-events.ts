/** Whole streams for tests that care that events are valid, not what they say. */
import type { Fact, RunEvent } from '../events/index.ts'
import * as facts from './facts.ts'
import { stamp, type Stamping } from './given.ts'
import { runStarted } from './run-started.ts'
import { failedVerdict, passedVerdict } from './verdicts.ts'

/** One fact of every kind, in an order that a run could have. */
export const everyKindOfFact: readonly Fact[] = [
  runStarted({ verifiers: ['npm test'], recipe: { command: 'an agent', words: [1, null, true] } }),
  facts.goalSet('make the tests pass: ✓ ünïcödé\n'),
  facts.verificationStarted('baseline', 'npm test'),
  facts.verdictGiven(failedVerdict('npm test')),
  facts.modelCalled(1),
  facts.modelFailed(),
  facts.modelCalled(1, 2),
  facts.modelProposed('call-1', 'call-2'),
  facts.approvalRequested('call-1'),
  facts.approvalGiven('call-1'),
  facts.toolCalled('call-1'),
  facts.toolReturned('call-1', 'a zero \0 and half a character \ud800'),
  facts.toolRefused('call-2'),
  facts.subRunStarted('run-2', 'call-1'),
  facts.subRunEnded('run-2'),
  facts.workspaceObserved('tree-2'),
  facts.findingNoted({
    rule: 'tokens',
    level: 'note',
    message: 'much',
    numbers: { used: 0.5 },
    restsOn: [8],
  }),
  facts.turnEnded(1, 'the tests fail'),
  { type: 'reply-judging-started', attempt: 1, maxAttempts: 3 },
  facts.replyJudged(1, { status: 'failed', category: 'incomplete', score: 0.5 }),
  facts.replySettled(),
  facts.replyDelivered(),
  facts.finalSummaryCalled(),
  facts.finalSummaryReplied(),
  facts.interruptRequested(),
  facts.runStopped('user_interrupt', { outcome: 'interrupted' }),
  facts.runResumed(),
  facts.budgetAdded({ iterations: 10, costUsd: 0.5, callsPerTool: { web_search: 5 } }),
  facts.verdictGiven(passedVerdict('npm test', { durationMs: 0.25, fingerprint: 'tree-2' })),
  facts.lastTurnEnded(2, 'task_complete'),
  facts.runStopped('task_complete', { outcome: 'verified' }),
]

/** A run with an event of every kind. */
export function sampleRun(runId = 'run-1'): readonly RunEvent[] {
  return stamp(everyKindOfFact, { runId })
}

/** The start of a run and so many turns after it, two events a turn. */
export function sampleTurns(turns: number, stamping: Stamping = {}): readonly RunEvent[] {
  const steps = Array.from({ length: turns }, (_, index) => [
    facts.modelCalled(index + 1),
    facts.modelClaimed(`reply ${index + 1}`),
  ])
  return stamp([runStarted(), facts.goalSet(), ...steps], stamping)
}
