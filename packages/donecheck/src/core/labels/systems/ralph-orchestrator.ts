import { cap, end, everyTurn, none, word } from '../entries.ts'
import { vocabulary, type ForeignSystem } from '../vocabulary.ts'

const noWord = 'it has no word for this'

export const ralphOrchestrator: ForeignSystem = {
  id: 'ralph-orchestrator',
  title: 'ralph-orchestrator',
  seenIn: '2.10.1',
  vocabularies: [
    vocabulary(
      [
        'CompletionPromise',
        'MaxIterations',
        'MaxRuntime',
        'MaxCost',
        'ConsecutiveFailures',
        'LoopThrashing',
        'LoopStale',
        'ValidationFailure',
        'Stopped',
        'Interrupted',
        'RestartRequested',
        'WorkspaceGone',
        'Cancelled',
      ],
      {
        field: 'termination reason',
        isComplete: true,
        successWords: ['CompletionPromise'],
        ends: {
          task_complete: word('CompletionPromise'),
          verifier_failed_unrecoverable: none(noWord),
          tampered: none(noWord),
          diminishing: none(noWord),
          stagnated: word('LoopStale', 'nearest: three equal events in a row'),
          model_ended: none('only CompletionPromise is near, and it is the word for success'),
          blocked: none(noWord),
          awaiting_approval: none(noWord),
          permission_denied: none(noWord),
          user_interrupt: word('Interrupted'),
          error: word('ConsecutiveFailures', 'nearest: failures in a row'),
        },
        caps: {
          turns: word('MaxIterations'),
          'model-calls': word('MaxIterations', 'nearest: a limit of steps'),
          'tool-calls': word('MaxIterations', 'nearest: a limit of steps'),
          tokens: word('MaxCost', 'nearest: it bounds money, not tokens'),
          cost: word('MaxCost'),
          time: word('MaxRuntime'),
        },
        loops: word('LoopThrashing'),
        turns: everyTurn(none('a termination reason stands at the end only')),
        ours: {
          CompletionPromise: end('model_ended', "the agent's own words; nothing is run"),
          MaxIterations: cap('iterations'),
          MaxRuntime: cap('wall_clock'),
          MaxCost: cap('cost'),
          ConsecutiveFailures: end('error'),
          LoopThrashing: end('loop_detected'),
          LoopStale: end('stagnated'),
          ValidationFailure: end('error', 'malformed output, not a failed check'),
          Stopped: end('user_interrupt'),
          Interrupted: end('user_interrupt'),
          RestartRequested: end('user_interrupt'),
          WorkspaceGone: end('error'),
          Cancelled: end('user_interrupt'),
        },
      },
    ),
  ],
}
