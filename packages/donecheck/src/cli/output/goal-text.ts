import { oneLine, plural, seconds, thousands } from '@donecheck/core/base'
import { nothingSpent, type GoalSpent, type GoalState, type SubGoalBudget } from '@donecheck/core/goal'
import type { GoalReport } from '@donecheck/engine/compose'
import { changeWords, subGoalBudgetWords } from '@donecheck/core/words'
import type { Line } from '@donecheck/engine/report'

const maxTextLength = 200

const marks = { closed: '✓', next: '→', open: '·', unverified: '?', 'over-budget': '$' } as const

export function goalLines({ objective, goal, subGoals, progress, unanswered }: GoalReport): readonly Line[] {
  const why = goal.reason === '' ? '' : `: ${oneLine(goal.reason, maxTextLength)}`
  const waits =
    goal.waiting === undefined ? '' : ` until ${new Date(goal.waiting.expiresAtMs).toISOString()} at most`
  const parts = subGoals.map(({ id, title, status, checks, isProposed, budget }): Line => {
    const decides = checks.length === 0 ? '' : `  [${oneLine(checks.join(', '), 60)}]`
    const own = isProposed ? ' (proposed by the drive)' : ''
    return {
      tone: status === 'closed' ? 'good' : 'plain',
      text: `  ${marks[status]} ${id}  ${oneLine(title, 80)}${own}${decides}${workText(goal, id, budget)}`,
    }
  })
  const share =
    progress.share === null ? '' : `  ${progress.closed} of ${plural(progress.leaves, 'part')} closed`
  return [
    { tone: 'strong', text: oneLine(objective.split('\n\n')[0] ?? '', maxTextLength) },
    { tone: 'plain', text: `${goal.status}${why}${waits}` },
    ...parts,
    ...(share === '' ? [] : [{ tone: 'plain' as const, text: share.trim() }]),
    ...(goal.reportedProgress === ''
      ? []
      : [{ tone: 'quiet' as const, text: `it says: ${oneLine(goal.reportedProgress, maxTextLength)}` }]),
    { tone: 'quiet', text: spentText(goal.spent) },
    ...unanswered.map(({ by, change }): Line => ({
      tone: 'warning',
      text: `not seen yet, by ${oneLine(by, 40)}: ${changeWords(change)}`,
    })),
    { tone: 'quiet', text: `goal ${goal.id}` },
  ]
}

function workText({ spentOnSubGoals }: GoalState, id: string, budget: SubGoalBudget | undefined): string {
  const { turns, inputTokens, outputTokens } = spentOnSubGoals[id] ?? nothingSpent
  const words = [
    turns === 0 ? [] : `${plural(turns, 'turn')}, ${thousands(inputTokens + outputTokens)} tokens`,
    budget === undefined ? [] : `at most ${subGoalBudgetWords(budget)}`,
  ].flat()
  return words.length === 0 ? '' : `  (${words.join('; ')})`
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
