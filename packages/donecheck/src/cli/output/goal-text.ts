/** A goal on a screen: what is wanted, how its parts stand, what it has used. */
import { oneLine, plural, seconds, thousands } from '@donecheck/core/base'
import type { GoalSpent } from '@donecheck/core/goal'
import type { GoalReport } from '@donecheck/engine/compose'
import { changeWords, type Line } from '@donecheck/engine/report'

const maxTextLength = 200

const marks = { closed: '✓', next: '→', open: '·', unverified: '?' } as const

export function goalLines({ objective, goal, subGoals, progress, unanswered }: GoalReport): readonly Line[] {
  const why = goal.reason === '' ? '' : `: ${oneLine(goal.reason, maxTextLength)}`
  const waits =
    goal.waiting === undefined ? '' : ` until ${new Date(goal.waiting.expiresAtMs).toISOString()} at most`
  const parts = subGoals.map(({ id, title, status, checks, isProposed }): Line => {
    const decides = checks.length === 0 ? '' : `  [${oneLine(checks.join(', '), 60)}]`
    const own = isProposed ? ' (proposed by the drive)' : ''
    return {
      tone: status === 'closed' ? 'good' : 'plain',
      text: `  ${marks[status]} ${id}  ${oneLine(title, 80)}${own}${decides}`,
    }
  })
  const share =
    progress.share === null ? '' : `  ${progress.closed} of ${plural(progress.leaves, 'part')} closed`
  return [
    { tone: 'strong', text: oneLine(objective.split('\n\n')[0] ?? '', maxTextLength) },
    { tone: 'plain', text: `${goal.status}${why}${waits}` },
    ...parts,
    ...(share === '' ? [] : [{ tone: 'plain' as const, text: share.trim() }]),
    { tone: 'quiet', text: spentText(goal.spent) },
    ...unanswered.map(({ by, change }): Line => ({
      tone: 'warning',
      text: `not seen yet, by ${oneLine(by, 40)}: ${changeWords(change)}`,
    })),
    { tone: 'quiet', text: `goal ${goal.id}` },
  ]
}

function spentText({
  inputTokens,
  cachedInputTokens,
  outputTokens,
  costUsd,
  activeMs,
  turns,
}: GoalSpent): string {
  const cached = cachedInputTokens === 0 ? '' : ` (${thousands(cachedInputTokens)} cached)`
  const cost = costUsd === null ? 'cost unknown' : `$${costUsd.toFixed(2)}`
  return `${plural(turns, 'turn')}, ${thousands(inputTokens)} tokens in${cached}, ${thousands(outputTokens)} out, ${cost}, ${seconds(activeMs)}`
}
