import { describe, expect, it } from 'vitest'
import { madeRun } from '@donecheck/engine/testing'
import { stepsOf } from '@donecheck/engine/recordings'
import { onsetsOf } from './onset.ts'

const onsets = (...calls: string[]) =>
  onsetsOf(stepsOf(madeRun(calls)).filter((step) => step.kind === 'call'))

describe('the onset of a stretch', () => {
  it('is the first call that brings nothing new', () => {
    expect(onsets('a 1 x', 'a 1 x', 'a 1 x')).toEqual([undefined, 1, 1])
  })

  it('is the first call of the second round of a cycle', () => {
    expect(onsets('a 1 x', 'b 1 x', 'a 1 x', 'b 1 x')).toEqual([undefined, undefined, 2, 2])
  })

  it('is taken anew after a call that brought something new', () => {
    expect(onsets('a 1 x', 'a 1 x', 'a 2 x', 'a 1 x')).toEqual([undefined, 1, undefined, 3])
  })

  it('does not come while results change, or tools, or arguments', () => {
    expect(onsets('a 1 x', 'a 1 y', 'b 1 x', 'a 2 x')).toEqual([undefined, undefined, undefined, undefined])
  })

  it('does not come from results that are not known', () => {
    expect(onsets('a 1 ?', 'a 1 ?', 'a 1 ?')).toEqual([undefined, undefined, undefined])
  })
})
