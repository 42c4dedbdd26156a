import { describe, expect, it } from 'vitest'
import { planOf } from '../turn.ts'

describe('given a plan in the words of the protocol', () => {
  it('takes nothing for done that is not said to be', () => {
    const entries = [
      { content: 'look', status: 'completed', priority: 'high' },
      { content: 'write it', status: 'in_progress' },
      { content: 'run it', status: 'pending' },
      { content: 'tell of it', status: 'never heard of' },
      { status: 'completed' },
      7,
    ]
    expect(planOf({ entries })).toEqual([
      { text: 'look', state: 'completed' },
      { text: 'write it', state: 'in-progress' },
      { text: 'run it', state: 'pending' },
      { text: 'tell of it', state: 'pending' },
    ])
  })
})
