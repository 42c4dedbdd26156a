import { describe, expect, it } from 'vitest'
import { fold } from '@donecheck/core/state'
import type { RunEvent } from '@donecheck/core/events'
import type { StopTransition } from '@donecheck/core/transitions'
import { goalSet, modelCalled, modelClaimed, runStopped } from '@donecheck/core/testing/facts'
import { runStarted, stamp } from '@donecheck/core/testing'
import { eventLines } from './event-lines.ts'

function ended(details: Partial<StopTransition>): readonly RunEvent[] {
  return stamp([
    runStarted({ caps: { maxIterations: 4 } }),
    goalSet(),
    modelCalled(1),
    modelClaimed(),
    runStopped('hard_cap', { outcome: 'exhausted', cap: 'iterations', ...details }),
  ])
}

/** All that is shown of the last event. */
function lastLines(events: readonly RunEvent[]): readonly string[] {
  const [state, event] = [fold(events), events.at(-1)]
  if (state === undefined || event === undefined) throw new Error('a run has events')
  return eventLines(event, state).map(({ text }) => text)
}

describe('given an end with a summary', () => {
  it.each([
    ['drive', 'summary of the drive:'],
    ['withheld-answer', 'last answer of the drive, which the checks did not confirm:'],
  ] as const)('by %s, then it says whose words they are, and how to go on', (summaryBy, title) => {
    expect(lastLines(ended({ summary: 'Half is done.\nThe rest is left.', summaryBy })).slice(1)).toEqual([
      title,
      '  | Half is done.\n  | The rest is left.',
      'to go on: donecheck resume run-1 --top-up turns=2',
    ])
  })

  it('made of the record, then it says so, and how to go on once only', () => {
    const summary = 'Done: nothing.\nHow to go on: start anew.'
    expect(lastLines(ended({ summary, summaryBy: 'program' })).slice(1)).toEqual([
      'summary of the record:',
      '  | Done: nothing.\n  | How to go on: start anew.',
    ])
  })
})
