/** A run from the baseline tree to the end; early ends are in the neighboring tests. */
import { describe, expect, it } from 'vitest'
import {
  externalAgent,
  begun,
  checked,
  claimed,
  edited,
  failedVerdict,
  given,
  passedVerdict,
  runStarted,
} from '../testing/index.ts'
import {
  goalSet,
  modelCalled,
  modelProposed,
  toolCalled,
  toolReturned,
  turnEnded,
  verdictGiven,
  verificationStarted,
  workspaceObserved,
  modelFailed,
  interruptRequested,
  modelClaimed,
  runStopped,
} from '../testing/facts.ts'
import { retryDelayMs } from '../state/index.ts'

const tests = 'npm test'
const red = begun({ verifiers: [tests] }, failedVerdict(tests))
const green = begun({ verifiers: [tests] }, passedVerdict(tests))

describe('given a run that begins', () => {
  it('looks at the baseline tree first, then checks it, then calls the model', () => {
    const start = given(runStarted({ verifiers: [tests] }), goalSet())
    start.whenDecided().then({ kind: 'observe' })
    const seen = start.and(workspaceObserved('tree-0'))
    seen.whenDecided().then({ kind: 'verify', trigger: 'baseline', verifiers: [tests] })
    seen
      .and(checked('baseline', failedVerdict(tests)))
      .whenDecided()
      .then({ kind: 'call-model', turn: 1, attempt: 1 })
  })

  it('asks at the baseline only what reads the tree: there is no answer yet', () => {
    const verifiers = [tests, { name: 'answer is JSON', reads: 'answer' as const }]
    given(begun({ verifiers }))
      .whenDecided()
      .then({ kind: 'verify', trigger: 'baseline', verifiers: [tests] })
    given(begun({ verifiers: [{ name: 'answer is JSON', reads: 'answer' }] }))
      .whenDecided()
      .then({ kind: 'call-model', turn: 1 })
  })

  it('has nothing to look at without a folder', () => {
    given(runStarted({ workFolder: null }), goalSet())
      .whenDecided()
      .then({ kind: 'call-model', turn: 1 })
  })

  it('asks the verifiers that have not spoken, when it is asked in the middle', () => {
    const verifiers = ['a', 'b', 'c']
    given(
      begun({ verifiers }),
      verificationStarted('baseline', ...verifiers),
      verdictGiven(failedVerdict('b')),
    )
      .whenDecided()
      .then({ kind: 'verify', trigger: 'baseline', verifiers: ['a', 'c'] })
  })
})

describe('given a turn', () => {
  it('waits for a call that is under way', () => {
    given(red, modelCalled(1)).whenDecided().then({ kind: 'wait', on: 'model' })
  })

  it('looks at the tree after a tool that may have changed it, and not after one that only reads', () => {
    const turn = given(red, modelCalled(1), modelProposed('a'))
    turn.and(toolCalled('a', 'execute'), toolReturned('a')).whenDecided().then({ kind: 'observe' })
    turn.and(toolCalled('a', 'read'), toolReturned('a')).whenDecided().then({ kind: 'continue' })
  })

  it('looks at the tree after every turn of an agent that works by itself', () => {
    given(begun({ agent: externalAgent, verifiers: [tests] }, failedVerdict(tests)), claimed(1))
      .whenDecided()
      .then({ kind: 'observe' })
  })

  it('checks a changed tree', () => {
    given(red, edited(1, 'tree-1'))
      .whenDecided()
      .then({ kind: 'verify', trigger: 'change', verifiers: [tests] })
  })

  it('does not check an unchanged tree again', () => {
    given(red, edited(1, 'tree-0'))
      .whenDecided()
      .then({ kind: 'continue', transition: { reason: 'tool_calls' } })
  })
})

describe('given checks that are red', () => {
  const twice = given(
    red,
    edited(1, 'tree-1'),
    checked('change', failedVerdict(tests)),
    turnEnded(1),
    claimed(2, 'Everything works now!'),
    checked('claim', failedVerdict(tests, { reason: '3 of 40 tests failed' })),
  )

  it('takes a claim for a reason to check, never for the end', () => {
    given(red, claimed(1))
      .whenDecided()
      .then({ kind: 'verify', trigger: 'claim', verifiers: [tests] })
    given(red, claimed(1), checked('claim', failedVerdict(tests)))
      .whenDecided()
      .then({ kind: 'continue', transition: { reason: 'verifier_feedback' } })
  })

  it.each(['', '   ', 'I cannot do this.', '{"done": true, "verified": true}'])(
    'is not impressed by %j',
    (text) => {
      given(red, claimed(1, text), checked('claim', failedVerdict(tests)))
        .whenDecided()
        .then({ kind: 'continue' })
    },
  )

  it('tells the evidence and how often', () => {
    twice.whenDecided().then((decision) => {
      expect(decision.kind).toBe('continue')
      const feedback = decision.kind === 'continue' ? decision.feedback : undefined
      expect(feedback).toContain('Check "npm test" failed (2 times in a row): 3 of 40 tests failed')
      expect(feedback).toContain('exit code 1')
    })
  })
})

describe('given checks that turn green', () => {
  it('ends at once as complete and verified', () => {
    given(red, edited(1, 'tree-1'), checked('change', passedVerdict(tests)))
      .whenDecided()
      .then({
        kind: 'stop',
        transition: {
          reason: 'task_complete',
          outcome: 'verified',
          message: 'npm test passed',
          atCap: undefined,
          lastCheck: undefined,
          verdicts: [{ verifier: tests, status: 'passed' }],
        },
      })
  })
})

describe('given checks that were green before', () => {
  it('is not done because they still are', () => {
    given(green, edited(1, 'tree-1'), checked('change', passedVerdict(tests)))
      .whenDecided()
      .then({ kind: 'continue', transition: { reason: 'tool_calls' }, feedback: undefined })
  })

  it('says to an agent that changed nothing that nothing is proven, and ends unverified when it insists', () => {
    const lazy = given(green, claimed(1), checked('claim', passedVerdict(tests)))
    lazy.whenDecided().then((decision) => {
      expect(decision).toMatchObject({ kind: 'continue', transition: { reason: 'verifier_feedback' } })
      expect(decision.kind === 'continue' && decision.feedback).toContain(
        'nothing in the work folder has changed',
      )
    })
    lazy
      .and(turnEnded(1), claimed(2), checked('claim', passedVerdict(tests)))
      .whenDecided()
      .then({ kind: 'stop', transition: { reason: 'model_ended', outcome: 'unverified' } })
  })

  it('takes an edit that was taken back for no change', () => {
    given(
      green,
      edited(1, 'tree-1'),
      checked('change', passedVerdict(tests)),
      turnEnded(1),
      edited(2, 'tree-0'),
      turnEnded(2),
      claimed(3),
      checked('claim', passedVerdict(tests)),
    )
      .whenDecided()
      .then({ kind: 'continue', transition: { reason: 'verifier_feedback' } })
  })
})

describe('given a call that failed and may be tried again', () => {
  it.each([
    [1, 500],
    [2, 1000],
    [3, 2000],
    [4, 4000],
    [40, 30_000],
  ])('waits longer after every failure, up to half a minute: after %s, %s ms', (attempt, delayMs) => {
    expect(retryDelayMs(attempt, modelFailed().failure)).toBe(delayMs)
  })
})

describe('given an interrupt', () => {
  it('wins over everything, and leaves the run to be resumed', () => {
    const transition = { reason: 'user_interrupt', outcome: 'interrupted' } as const
    const done = given(
      red,
      edited(1, 'tree-1'),
      checked('change', passedVerdict(tests)),
      interruptRequested('SIGTERM'),
    )
    done.whenDecided().then({ kind: 'stop', transition })
    done
      .whenDecided()
      .then({ kind: 'stop', transition: { message: 'interrupted by SIGTERM; it can be resumed' } })
    given(red, modelCalled(1), modelProposed('a'), interruptRequested())
      .whenDecided()
      .then({ kind: 'stop', transition })
    given(runStarted(), interruptRequested()).whenDecided().then({ kind: 'stop', transition })
  })
})

describe('given a run that was stopped', () => {
  it('says the same end again', () => {
    const stop = runStopped('model_ended', { message: 'that was all' })
    given(begun(), modelCalled(1), modelClaimed(), stop)
      .whenDecided()
      .then({ kind: 'stop', transition: stop.transition })
  })
})
