import { replay } from '@donecheck/engine/backtest'
import { stepsOf } from '@donecheck/engine/recordings'
import { madeRun } from '@donecheck/engine/testing'
import { describe, expect, it } from 'vitest'
import { sameCallAndResult } from './baseline.ts'

describe('the measuring stick', () => {
  const stopAt = (...calls: string[]) => replay(sameCallAndResult(3), stepsOf(madeRun(calls))).stop?.callsRun

  it('stops at the third equal call with an equal result, not at the second', () => {
    expect(stopAt('a 1 x', 'a 1 x')).toBeUndefined()
    expect(stopAt('a 1 x', 'a 1 x', 'a 1 x')).toBe(3)
  })

  it('begins anew at another result, and never counts one that is not known', () => {
    expect(stopAt('a 1 x', 'a 1 x', 'a 1 y', 'a 1 x', 'a 1 x')).toBeUndefined()
    expect(stopAt('a 1 ?', 'a 1 ?', 'a 1 ?')).toBeUndefined()
  })
})
