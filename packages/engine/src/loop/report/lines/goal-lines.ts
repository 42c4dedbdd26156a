import { firstLines, oneLine, plural, seconds, thousands } from '@donecheck/core/base'
import type { GoalFact, RunEvent } from '@donecheck/core/events'
import type { GoalChange, SubGoalBudget } from '@donecheck/core/goal'
import { line, type Line } from './line.ts'
import { howToGoOn } from '@donecheck/core/decide'
import type { RunState } from '@donecheck/core/state'
import type { SummarySource } from '@donecheck/core/transitions'

const maxTextLength = 200

export function goalLines(fact: GoalFact): readonly Line[] {
  switch (fact.type) {
    case 'goal-set':
      return [line('plain', firstLines(`task: ${fact.task}`, 6, ''))]
    case 'goal-changed':
      return [line('strong', `goal changed by ${oneLine(fact.by, 60)}: ${changeWords(fact.change)}`)]
    case 'goal-change-refused':
      return [line('warning', refusalWords(fact))]
    case 'drive-steered':
      return [line('quiet', firstLines(fact.text, 4, '  > '))]
    case 'goal-wait-ended':
      return [line('plain', waitWords[fact.how])]
  }
}

function refusalWords({ by, kind, reason }: Extract<GoalFact, { type: 'goal-change-refused' }>): string {
  return `goal not changed for ${oneLine(by, 60)} (${kind}): ${oneLine(reason, maxTextLength)}`
}

const waitWords = {
  over: 'what the goal waited for is over',
  expired: 'the goal has waited long enough and goes on',
  unknown: 'nobody can tell what the goal waited for, so it goes on',
} as const

export function changeWords(change: GoalChange): string {
  switch (change.kind) {
    case 'replaced':
      return `another one, ${oneLine(change.objective, maxTextLength)}`
    case 'objective-edited':
      return oneLine(change.objective, maxTextLength)
    case 'sub-goal-added':
      return `sub-goal ${change.subGoal.id} added: ${oneLine(change.subGoal.title, maxTextLength)}`
    case 'sub-goal-edited':
      return `sub-goal ${change.id} is now: ${oneLine(editWords(change), maxTextLength)}`
    case 'sub-goal-over-budget':
      return `sub-goal ${change.id} is left, ${oneLine(change.reason, maxTextLength)}`
    case 'checks-added':
      return `checks added: ${oneLine(change.checks.map(({ name }) => name).join(', '), maxTextLength)}`
    case 'paused':
      return `paused, ${oneLine(change.reason, maxTextLength)}`
    case 'resumed':
      return 'resumed'
    case 'cleared':
      return 'cleared'
    case 'wait-began':
      return `waits: ${oneLine(change.reason, maxTextLength)}`
    case 'blocker-reported':
      return `blocked, it says: ${oneLine(change.blocker, maxTextLength)}`
    case 'progress-reported':
      return `progress, it says: ${oneLine(change.progress, maxTextLength)}`
    case 'message-given':
      return `a message, ${oneLine(change.text, maxTextLength)}`
    case 'completion-requested':
      return 'it says that it is done, and asks for the checks'
  }
}

function editWords({ title, budget }: Extract<GoalChange, { kind: 'sub-goal-edited' }>): string {
  return [title ?? [], budget === undefined ? [] : `at most ${budgetWords(budget)}`].flat().join(', ')
}

/** Such as `8 turns, 50,000 tokens`. */
export function budgetWords({ turns, tokens, costUsd, activeMs }: SubGoalBudget): string {
  return [
    turns === undefined ? [] : plural(turns, 'turn'),
    tokens === undefined ? [] : `${thousands(tokens)} tokens`,
    costUsd === undefined ? [] : `$${costUsd}`,
    activeMs === undefined ? [] : seconds(activeMs),
  ]
    .flat()
    .join(', ')
}

const maxShownLength = 20

const titles: Readonly<Record<SummarySource, string>> = {
  drive: 'summary of the drive',
  'withheld-answer': 'last answer of the drive, which the checks did not confirm',
  program: 'summary of the record',
}

export function summaryLines(state: RunState): readonly Line[] {
  if (state.phase.kind !== 'stopped') return []
  const { transition } = state.phase
  const { summary, summaryBy = 'program' } = transition
  if (summary === undefined) return []
  const lines: Line[] = [
    line('strong', `${titles[summaryBy]}:`),
    line('plain', firstLines(summary, maxShownLength, '  | ')),
  ]
  if (summaryBy === 'program') return lines
  return [...lines, line('quiet', `to go on: ${howToGoOn(state, transition)}`)]
}

export function finalSummaryLines(
  event: Extract<RunEvent, { type: 'final-summary-called' | 'final-summary-replied' }>,
): readonly Line[] {
  if (event.type === 'final-summary-called')
    return [line('strong', 'the run ends: the drive is asked for a summary, without tools')]
  const { problem, droppedCalls } = event
  return [
    ...(problem === undefined ? [] : [warning(`no summary of the drive: ${oneLine(problem, 300)}`)]),
    ...(droppedCalls === 0
      ? []
      : [warning(`it asked for ${plural(droppedCalls, 'tool call')} all the same: none was run`)]),
  ]
}

function warning(text: string): Line {
  return line('warning', `  ! ${text}`)
}
