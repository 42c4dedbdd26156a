/** What a person reads of an agent's plan: how far it says that it is, and at what. */
import { oneLine, thousands } from '@donecheck/core/base'
import type { FactOf } from '@donecheck/core/events'

const maxTextLength = 80

/** Such as `  plan of the agent: 2 of 5 done, now: write the test`. */
export function planLine({ entries, leftOut = 0 }: FactOf<'agent-plan-reported'>): string {
  if (entries.length === 0) return '  plan of the agent: empty'
  const done = entries.filter(({ state }) => state === 'completed').length
  // What was left out may be done or not.
  const all = `${thousands(entries.length)}${leftOut === 0 ? '' : ` (and ${thousands(leftOut)} more, not read)`}`
  const current = entries.find(({ state }) => state === 'in-progress')
  const now = current === undefined ? '' : `, now: ${oneLine(current.text, maxTextLength)}`
  return `  plan of the agent: ${thousands(done)} of ${all} done${now}`
}
