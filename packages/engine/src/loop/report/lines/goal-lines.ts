import { firstLines, oneLine, plural } from '@donecheck/core/base'
import type { RunEvent } from '@donecheck/core/events'
import { line, type Line } from './line.ts'
import { howToGoOn } from '@donecheck/core/decide'
import type { RunState } from '@donecheck/core/state'
import type { SummarySource } from '@donecheck/core/transitions'

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
