import { expect, it } from 'vitest'
import type { FactOf, PlanEntry } from '../../events/index.ts'
import { runStarted, stamp } from '../../testing/index.ts'
import { eventWords } from './index.ts'

const entry = (text: string, state: PlanEntry['state'] = 'pending'): PlanEntry => ({ text, state })
const entries = [
  entry('look', 'completed'),
  entry('write \u001B[2Jthe\ntest', 'in-progress'),
  entry('run it'),
]

function wordsFor(more: Partial<FactOf<'agent-plan-reported'>> = {}): string | undefined {
  const [, event] = stamp([runStarted(), { type: 'agent-plan-reported', entries, ...more }])
  return event && eventWords(event).text
}

it('says how far the agent says that it is, and at what, in one harmless line', () => {
  expect(wordsFor()).toBe('plan of the agent: 1 of 3 done, now: write ␛[2Jthe test')
  expect(wordsFor({ entries: entries.slice(0, 1) })).toBe('plan of the agent: 1 of 1 done')
  expect(wordsFor({ entries: [] })).toBe('plan of the agent: empty')
  expect(wordsFor({ leftOut: 1200 })).toContain('1 of 3 (and 1,200 more, not read) done')
})
