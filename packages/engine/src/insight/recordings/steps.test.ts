import { describe, expect, it } from 'vitest'
import { madeRun, madeTurn } from '../../testing/index.ts'
import { stepsOf } from './recorded-run.ts'

describe('given a recorded run', () => {
  const run = madeRun([], {
    turns: [
      madeTurn(['bash ls a.ts', 'bash pwd /src'], { text: 'I look around.' }),
      madeTurn([], { text: null, reply: 'Go on.' }),
      madeTurn(['bash ls ?']),
    ],
  })

  it('shows the reply of a turn before its calls, and what was said back after them', () => {
    expect(stepsOf(run).map(({ kind, turn }) => `${kind} ${turn}`)).toEqual([
      'reply 0',
      'call 0',
      'call 0',
      'reply 1',
      'message 1',
      'reply 2',
      'call 2',
    ])
  })

  it('counts calls over the whole run and tells a reply how many follow', () => {
    const steps = stepsOf(run)
    expect(steps.flatMap((step) => (step.kind === 'call' ? step.index : []))).toEqual([0, 1, 2])
    expect(steps.flatMap((step) => (step.kind === 'reply' ? step.calls : []))).toEqual([2, 0, 1])
  })
})
