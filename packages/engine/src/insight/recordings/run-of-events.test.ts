import { failedVerdict, runStarted, sampleRun, stamp, timePassed, type Step } from '@donecheck/core/testing'
import {
  goalSet,
  modelCalled,
  modelClaimed,
  modelFailed,
  modelProposed,
  runResumed,
  runStopped,
  toolCall,
  toolCalled,
  toolRefused,
  toolReturned,
  turnEnded,
  verdictGiven,
  verificationStarted,
  workspaceObserved,
} from '@donecheck/core/internal/testing/facts'
import { describe, expect, it } from 'vitest'
import { runOfEvents } from './run-of-events.ts'

const read = (...steps: readonly Step[]) =>
  runOfEvents(stamp([runStarted({ verifiers: ['tests'] }), goalSet('mend it'), ...steps]), 'store')

const work = [
  modelCalled(1),
  timePassed(500),
  modelProposed(toolCall('1', 'bash', { command: 'ls' }), toolCall('2', 'edit', {}), toolCall('3', 'bash')),
  toolCalled('1', 'execute', 'bash'),
  toolReturned('1', 'a.ts'),
  toolCalled('2', 'write', 'edit'),
  toolReturned('2', 'no such text', 'error'),
  toolRefused('3'),
  workspaceObserved('tree-2'),
]

describe('given the events of a run', () => {
  const run = read(
    ...work,
    verificationStarted('change', 'tests'),
    verdictGiven(failedVerdict('tests')),
    turnEnded(1, 'the tests fail'),
    modelCalled(2),
    modelFailed(),
    modelCalled(2, 2),
    modelClaimed('I am done.'),
    runStopped('hard_cap', { outcome: 'exhausted', cap: 'iterations' }),
  )

  it('has its task, its end, and that a bound ended it', () => {
    expect(run).toMatchObject({
      ...{ file: 'store', task: 'mend it', model: 'test/model', exit: 'hard_cap' },
      ...{ outcome: { resolved: false }, isCut: true },
    })
  })

  it('has the calls that ran, as they were read, with what they left', () => {
    expect(run?.turns[0]?.toolCalls).toMatchObject([
      { name: 'bash', args: { command: 'ls' }, result: 'a.ts', isError: false, isNewTree: false },
      { name: 'edit', result: 'no such text', isError: true, isNewTree: true },
    ])
  })

  it('has what was used, retries included, and the time before each turn', () => {
    expect(run?.turns).toMatchObject([
      { modelCalls: 1, startedMs: 20, tokens: { in: 100, out: 20 }, costUsd: 0.0003 },
      { modelCalls: 2, startedMs: 630, text: 'I am done.' },
    ])
  })

  it('has what the checks said after a turn, and not what was said to the agent', () => {
    expect(run?.turns[0]?.checked).toMatchObject({
      ...{ tree: 'tree-2', claimed: false },
      verdicts: [{ verifier: 'tests', status: 'failed' }],
    })
    expect(run?.turns[0]).not.toHaveProperty('reply')
    expect(run?.turns[1]).not.toHaveProperty('checked')
  })
})

describe('given an end', () => {
  const ended = (...steps: readonly Step[]) => read(modelCalled(1), modelClaimed(), ...steps)

  it.each([
    ['task_complete', 'verified', true, false],
    ['loop_detected', 'exhausted', false, true],
    ['verifier_failed_unrecoverable', 'failed', false, false],
    ['model_ended', 'unverified', null, false],
    ['user_interrupt', 'interrupted', null, true],
  ] as const)('%s: what is known of it, and whether it was cut', (reason, outcome, resolved, isCut) => {
    expect(ended(runStopped(reason, { outcome }))).toMatchObject({ outcome: { resolved }, isCut })
  })

  it('one that was resumed since is none', () => {
    const resumed = ended(runStopped('hard_cap', { outcome: 'exhausted' }), timePassed(9e6), runResumed())
    expect(resumed).toMatchObject({ outcome: { resolved: null }, exit: null, isCut: true })
  })
})

it('given every kind of event, then a run is read of them', () => {
  expect(runOfEvents(sampleRun(), 'store')?.turns.length).toBeGreaterThan(0)
})
