/** What all caps share: a warning at 80 %, and the end when the next step would not fit (I9). */
import { capRule, type RunState, isMidTurn } from '../../state/index.ts'
import type { Finding } from '../../events/index.ts'
import type { CapName } from '../../budgets/index.ts'

/** Share of a cap at which the warning is given, once. */
export const warningShare = 0.8

/** What the run would do next, as far as caps are concerned. */
export type Need = 'nothing' | 'a turn' | 'a model call' | 'a tool call'

export function nextNeed(state: RunState): Need {
  switch (state.phase.kind) {
    case 'starting':
    case 'idle':
      return 'a turn'
    case 'judging':
      return isMidTurn(state) ? 'a model call' : 'a turn'
    case 'retrying':
      return 'a model call'
    case 'acting':
      return 'a tool call'
    case 'calling':
    case 'drive-failed':
    case 'verifying':
    case 'stopped':
      return 'nothing'
  }
}

export interface CapReading {
  readonly cap: CapName
  /** Null: switched off. */
  readonly limit: number | null
  readonly used: number
  /** The next step does not fit into what is left. */
  readonly isReached: boolean
  /** Such as `7 of 8 turns`. */
  readonly text: string
  /** What is said once all of it is used. Default: that the limit is reached, and the text. */
  readonly reached?: string
}

export function capFinding(state: RunState, reading: CapReading): Finding | undefined {
  const { cap, limit, used } = reading
  if (limit === null) return undefined
  const body = { rule: capRule(cap), numbers: { used, limit }, restsOn: [state.sequence] }
  if (reading.isReached) {
    const { text, reached = `limit reached: ${text}` } = reading
    const message = used >= limit ? reached : `${text}: no room for the next step`
    return { ...body, level: 'stop', message, stop: { reason: 'hard_cap', cap } }
  }
  if (used < limit * warningShare) return undefined
  return { ...body, level: 'warn', message: `${reading.text} used` }
}
