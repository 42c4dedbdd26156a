import type { Rule } from '../rule.ts'
import { capFinding, nextNeed } from './cap.ts'
import { usedOf } from './used.ts'

/** Tool calls announced. Refused calls were never run and do not count. */
export const toolCallsCap: Rule = (state) => {
  const limit = state.settings.caps.maxToolCalls
  const used = usedOf(state, 'toolCalls')
  const isReached = limit !== null && nextNeed(state) !== 'nothing' && used >= limit
  return capFinding(state, {
    cap: 'tool_calls',
    limit,
    used,
    isReached,
    text: `${used} of ${limit} tool calls`,
  })
}
