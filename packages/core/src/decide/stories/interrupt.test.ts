import { describe, it } from 'vitest'
import {
  begun,
  checked,
  edited,
  failedVerdict,
  given,
  passedVerdict,
  runStarted,
} from '../../testing/index.ts'
import {
  interruptRequested,
  modelCalled,
  modelClaimed,
  modelProposed,
  runResumed,
  runStopped,
} from '../../testing/facts.ts'

const tests = 'npm test'
const red = begun({ verifiers: [tests] }, failedVerdict(tests))

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

  it('goes on after a resume where it was', () => {
    given(red, interruptRequested(), runStopped('user_interrupt'), runResumed())
      .whenDecided()
      .then({ kind: 'call-model' })
  })
})
