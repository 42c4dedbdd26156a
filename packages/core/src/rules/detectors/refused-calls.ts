import type { Rule } from '../../state/index.ts'

/**
 * Every call of so many turns in a row was refused by the gate or by a person: there is no other way, so the run ends
 * as `permission_denied` rather than asking for ever.
 */
export function refusedCalls(options: { readonly maxTurnsInARow: number } = { maxTurnsInARow: 3 }): Rule {
  return (state) => {
    const { called, refused } = state.tally
    const isJudged = state.phase.kind === 'judging' && state.turnOpen
    if (!isJudged || called > 0 || refused === 0) return undefined
    const turns = state.refusedTurns + 1
    if (turns < options.maxTurnsInARow) return undefined
    return {
      rule: 'refused_calls',
      level: 'stop',
      message: `every tool call of ${turns} turns in a row was refused`,
      numbers: { turns },
      restsOn: [state.sequence],
      stop: { reason: 'permission_denied' },
    }
  }
}
