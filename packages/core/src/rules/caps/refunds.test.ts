/** Calls that never reached the provider are given back, so many times in a run and no more. */
import { describe, expect, it } from 'vitest'
import { begun, given, standardJudgement, type Step } from '../../testing/index.ts'
import { modelCalled, modelFailed, modelReplied, tokens, turnEnded } from '../../testing/facts.ts'
import { decide } from '../../decide/index.ts'

const unsent = (details: Parameters<typeof modelFailed>[1] = {}) =>
  modelFailed({ kind: 'network', message: 'the name was not resolved', neverSent: true }, details)

const used = (...steps: readonly Step[]) => {
  const { iterations, modelCalls, refunds } = given(begun({ maxRefunds: 3 }), ...steps).state.consumption
  return [iterations, modelCalls, refunds]
}

describe('given a call that was never sent', () => {
  it('gives the call and its turn back', () => {
    expect(used(modelCalled(1), unsent())).toEqual([0, 0, 1])
  })

  it('pays the turn with the first call of it that is sent', () => {
    expect(used(modelCalled(1), unsent(), modelCalled(1, 2))).toEqual([1, 1, 1])
    expect(used(modelCalled(1), unsent(), modelCalled(1, 2), modelReplied())).toEqual([1, 1, 1])
  })

  it('keeps the turn where another call of it was sent', () => {
    expect(used(modelCalled(1), modelFailed(), modelCalled(1, 2), unsent())).toEqual([1, 1, 1])
  })

  it('gives nothing back for a call that was sent, however it failed', () => {
    expect(used(modelCalled(1), modelFailed())).toEqual([1, 1, 0])
    expect(used(modelCalled(1), modelFailed({ kind: 'network' }))).toEqual([1, 1, 0])
  })

  it('does not believe it of a call that used tokens', () => {
    expect(used(modelCalled(1), unsent({ usage: tokens(10, 0) }))).toEqual([1, 1, 0])
  })

  it.each([
    [3, [0, 0, 3]],
    [4, [1, 1, 3]],
    [6, [1, 3, 3]],
  ])('gives back three of %i', (times, expected) => {
    const tries = Array.from({ length: times }, (_, index) => [modelCalled(1, index + 1), unsent()])
    expect(used(...tries)).toEqual(expected)
  })

  it('counts over all turns', () => {
    const turn = (number: number) => [modelCalled(number), unsent(), turnEnded(number)]
    expect(used(turn(1), turn(2), turn(3), turn(4), turn(5))).toEqual([2, 2, 3])
  })

  it('gives nothing back where none is allowed', () => {
    const { consumption } = given(begun({ maxRefunds: 0 }), modelCalled(1), unsent()).state
    expect([consumption.iterations, consumption.modelCalls]).toEqual([1, 1])
  })
})

describe('given a cap of 2 model calls and a network that is down', () => {
  it('tries no more often than the cap and the refunds allow', () => {
    let run = given(begun({ caps: { maxModelCalls: 2 }, maxRefunds: 3, maxModelAttempts: 99 }))
    let calls = 0
    for (;;) {
      const decision = decide(run.afterNotes().state, standardJudgement)
      if (decision.kind !== 'call-model') {
        expect(decision).toMatchObject({
          kind: 'stop',
          transition: { reason: 'hard_cap', cap: 'model_calls' },
        })
        break
      }
      calls += 1
      run = run.afterNotes().and(modelCalled(decision.turn, decision.attempt), unsent())
    }
    expect(calls).toBe(2 + 3)
  })
})
