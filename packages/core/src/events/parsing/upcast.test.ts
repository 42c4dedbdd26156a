import { describe, expect, it } from 'vitest'
import { modelProposed, toolCall } from '../../testing/facts.ts'
import { runStarted, stamp } from '../../testing/index.ts'
import type { Fact } from '../event.ts'
import { fold } from '../../state/index.ts'
import { parseEvent, problemOfFact } from './parse.ts'

const match = { rule: 'prefix_rule git push', source: 'user rules', words: ['git', 'push'], span: null }

function gateDecided(decision: string): object {
  const kept = { ...match, justification: 'forbid' }
  const matches = [
    { ...kept, decision },
    { ...kept, decision: 'prompt' },
  ]
  return { type: 'gate-decided', callId: 'call-1', decision, shadow: decision, reason: 'forbid', matches }
}

function readBack(decision: string) {
  const before: readonly Fact[] = [runStarted(), modelProposed(toolCall('call-1'))]
  return [...stamp(before), { ...stamp(before)[0], ...gateDecided(decision), sequence: 3 }].map((stored) =>
    parseEvent(JSON.parse(JSON.stringify(stored))),
  )
}

function stateOf(decision: string) {
  return fold(readBack(decision).flatMap((one) => (one.kind === 'event' ? [one.event] : [])))
}

describe('given a record of when a refusal was called `forbid`', () => {
  it('then it is read in the words of today: everywhere where it was decided, and in no text', () => {
    expect(readBack('forbid')[2]).toMatchObject({ kind: 'event', event: gateDecided('forbidden') })
  })

  it('then it folds to the same state', () => {
    expect(stateOf('forbid')).toBeDefined()
    expect(stateOf('forbid')).toEqual(stateOf('forbidden'))
  })
})

it('the old word is history alone: nobody may tell it any more', () => {
  expect(problemOfFact(gateDecided('forbidden'))).toBeUndefined()
  expect(problemOfFact(gateDecided('forbid'))).toMatch(/^decision: /u)
})
