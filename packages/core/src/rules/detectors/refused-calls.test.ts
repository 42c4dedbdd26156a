import { describe, expect, it } from 'vitest'
import { begun, edited, given, type Step } from '../../testing/index.ts'
import {
  modelCalled,
  modelProposed,
  toolCalled,
  toolRefused,
  toolReturned,
  turnEnded,
} from '../../testing/facts.ts'
import { refusedCalls } from './loop-detections.ts'

function refused(turn: number): readonly Step[] {
  return [modelCalled(turn), modelProposed('a', 'b'), toolRefused('a', 'gate'), toolRefused('b', 'approver')]
}

const twice: readonly Step[] = [refused(1), turnEnded(1), refused(2), turnEnded(2)]

describe('given a drive whose calls are all refused', () => {
  it('goes on after one turn and after two', () => {
    given(begun(), refused(1))
      .whenDecided()
      .then({ kind: 'continue', transition: { reason: 'tool_calls' } })
    given(begun(), refused(1), turnEnded(1), refused(2)).whenDecided().then({ kind: 'continue' })
  })

  it('ends at the third turn in a row: there is no other way', () => {
    given(begun(), twice, refused(3))
      .afterNotes()
      .whenDecided()
      .then({
        kind: 'stop',
        transition: {
          reason: 'permission_denied',
          outcome: 'blocked',
          findings: ['refused_calls'],
          message: 'every tool call of 3 turns in a row was refused',
        },
      })
  })

  it('runs a last check before it ends, like every early end', () => {
    given(begun({ verifiers: ['npm test'] }), twice, refused(3))
      .afterNotes()
      .whenDecided()
      .then({ kind: 'verify', trigger: 'cap' })
  })

  it('starts anew after a turn in which one call ran', () => {
    const half = [
      modelCalled(3),
      modelProposed('a', 'b'),
      toolRefused('a'),
      toolCalled('b', 'read'),
      toolReturned('b'),
    ]
    given(begun(), twice, half).whenDecided().then({ kind: 'continue' })
    given(begun(), twice, half, turnEnded(3), refused(4), turnEnded(4), refused(5))
      .whenDecided()
      .then({ kind: 'continue' })
    given(begun(), twice, edited(3, 't'), turnEnded(3), refused(4)).whenDecided().then({ kind: 'continue' })
  })

  it.each(['cap', 'schema', 'record'] as const)('is not about calls that were refused by %s', (by) => {
    const turn = (number: number) => [modelCalled(number), modelProposed('a'), toolRefused('a', by)]
    given(begun(), turn(1), turnEnded(1), turn(2), turnEnded(2), turn(3))
      .whenDecided()
      .then({ kind: 'continue' })
  })

  it('counts as far as it is told', () => {
    const rules = [refusedCalls({ maxTurnsInARow: 1 })]
    given(begun(), refused(1))
      .afterNotes({ rules })
      .whenDecided({ rules })
      .then({ kind: 'stop', transition: { reason: 'permission_denied' } })
  })

  it('says nothing before the turn is judged', () => {
    expect(refusedCalls()(given(begun(), twice).state)).toBeUndefined()
    expect(refusedCalls()(given(begun(), twice, modelCalled(3)).state)).toBeUndefined()
  })
})
