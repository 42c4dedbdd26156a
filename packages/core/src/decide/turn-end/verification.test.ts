import { describe, expect, it } from 'vitest'
import type { VerifyWhen } from '../../base/index.ts'
import { begun, checked, claimed, edited, failedVerdict, given, runStarted } from '../../testing/index.ts'
import { modelCalled, modelProposed, toolCalled, toolReturned, turnEnded } from '../../testing/facts.ts'
import { verificationTrigger } from './conclude.ts'

const verifiers = ['npm test']
const answer = [{ name: 'answer', reads: 'answer' as const }]
const call = (effect: 'read' | 'write') => [
  modelCalled(1),
  modelProposed('a'),
  toolCalled('a', effect),
  toolReturned('a'),
]

/** When checks are run at the end of a turn: after a change, after a claim, after a turn with neither. */
const rows: readonly (readonly [
  VerifyWhen,
  'change' | 'turn' | undefined,
  'claim' | 'turn' | undefined,
  'turn' | undefined,
])[] = [
  ['on-change-or-claim', 'change', 'claim', undefined],
  ['on-change', 'change', undefined, undefined],
  ['on-claim', undefined, 'claim', undefined],
  ['every-turn', 'turn', 'turn', 'turn'],
]

describe.each(rows)('given verifyWhen %s', (verifyWhen, afterChange, afterClaim, afterNeither) => {
  const begin = begun({ verifiers, verifyWhen }, failedVerdict('npm test'))

  it('checks a changed tree so', () => {
    expect(verificationTrigger(given(begin, edited(1, 'tree-1')).state)).toBe(afterChange)
  })

  it('checks a claim so', () => {
    expect(verificationTrigger(given(begin, claimed(1)).state)).toBe(afterClaim)
  })

  it('checks any other turn so', () => {
    expect(verificationTrigger(given(begin, edited(1, 'tree-0')).state)).toBe(afterNeither)
  })

  it('has nothing to run without verifiers', () => {
    expect(verificationTrigger(given(begun({ verifyWhen }), claimed(1)).state)).toBeUndefined()
  })
})

describe('given a tree that was checked', () => {
  it('is not checked again until it changes, a change back to the baseline tree being one', () => {
    const begin = given(
      begun({ verifiers }, failedVerdict('npm test')),
      edited(1, 'tree-1'),
      checked('change', failedVerdict('npm test')),
      turnEnded(1),
    )
    expect(verificationTrigger(begin.and(edited(2, 'tree-1')).state)).toBeUndefined()
    expect(verificationTrigger(begin.and(edited(2, 'tree-2')).state)).toBe('change')
    expect(verificationTrigger(begin.and(edited(2, 'tree-0')).state)).toBe('change')
  })
})

describe('given a run without a folder', () => {
  it('takes a tool that may write for a change', () => {
    const begin = runStarted({ workFolder: null, verifiers: answer, verifyWhen: 'on-change' })
    expect(verificationTrigger(given(begin, call('write')).state)).toBe('change')
    expect(verificationTrigger(given(begin, call('read')).state)).toBeUndefined()
  })
})
