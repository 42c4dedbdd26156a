import { expect, it } from 'vitest'
import type { PlanEntry } from '@donecheck/core/events'
import { planLine } from './line.ts'

const entry = (text: string, state: PlanEntry['state'] = 'pending'): PlanEntry => ({ text, state })
const plan = {
  type: 'agent-plan-reported' as const,
  entries: [entry('look', 'completed'), entry('write \u001B[2Jthe\ntest', 'in-progress'), entry('run it')],
}

it('says how far the agent says that it is, and at what, in one harmless line', () => {
  expect(planLine(plan)).toBe('  plan of the agent: 1 of 3 done, now: write ␛[2Jthe test')
  expect(planLine({ ...plan, entries: plan.entries.slice(0, 1) })).toBe('  plan of the agent: 1 of 1 done')
  expect(planLine({ ...plan, entries: [] })).toBe('  plan of the agent: empty')
  expect(planLine({ ...plan, leftOut: 1200 })).toContain('1 of 3 (and 1,200 more, not read) done')
})
