import { fold } from '@donecheck/core/internal/state'
import { begun, checked, claimed, edited, failedVerdict, passedVerdict, stamp } from '@donecheck/core/testing'
import { findingNoted, runStopped, toolCall, turnEnded } from '@donecheck/core/internal/testing/facts'
import { describe, expect, it } from 'vitest'
import { RunView } from './run-view.ts'

const loop = {
  rule: 'loop:same_call',
  level: 'warn',
  message: 'the same call again',
  numbers: {},
  basedOn: [],
} as const

const events = stamp([
  begun({ verifiers: ['npm test', 'npm run lint'], caps: { maxIterations: 4 } }, failedVerdict('npm test')),
  edited(1, 'tree-1'),
  checked('change', failedVerdict('npm test'), passedVerdict('npm run lint')),
  findingNoted(loop),
  turnEnded(1, 'npm test fails', 'verifier_feedback'),
  claimed(2, 'All done.'),
  checked('claim', passedVerdict('npm test'), passedVerdict('npm run lint')),
  runStopped('task_complete', { outcome: 'verified' }),
])

function viewOf(all: typeof events): RunView {
  const view = new RunView()
  view.take(all)
  view.fold()
  return view
}

describe('given a run with two turns', () => {
  const view = viewOf(events)

  it('tells turn by turn what the agent said and did, and why it went on', () => {
    const [first, second] = view.turns
    expect(view.turns.map(({ number }) => number)).toEqual([1, 2])
    expect(first?.calls).toMatchObject([{ tool: toolCall('x').tool, status: 'ok' }])
    expect(first?.transition).toMatchObject({ kind: 'continue', reason: 'verifier_feedback' })
    expect(first?.rules).toEqual(['loop:same_call'])
    expect(second).toMatchObject({ text: 'All done.', tokens: 120, last: events.length })
  })

  it('has the state that the engine has', () => {
    expect(view.state).toEqual(fold(events))
    expect(view.state?.phase).toMatchObject({ kind: 'stopped' })
  })
})
