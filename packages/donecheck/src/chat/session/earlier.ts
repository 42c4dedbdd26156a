import { firstLines, oneLine } from '@donecheck/core/base'
import type { RunState } from '@donecheck/core/state'

export interface Finished {
  readonly asked: string
  readonly state: RunState
}

/** Characters; the latest runs that fit. */
const maxLength = 8000

export function contextOf(finished: readonly Finished[], notes: readonly string[]): string {
  const entries: string[] = []
  let room = maxLength
  for (const { asked, state } of finished.toReversed()) {
    const text = entryOf(asked, state)
    if (text.length > room) break
    room -= text.length
    entries.unshift(text)
  }
  return [
    ...(entries.length === 0
      ? []
      : ['What went before in this session, for you to know; it is over:', ...entries]),
    ...notes,
  ].join('\n')
}

function entryOf(asked: string, { phase, lastText }: RunState): string {
  const end =
    phase.kind === 'stopped'
      ? `${phase.transition.outcome}: ${oneLine(phase.transition.message, 200)}`
      : 'broken off'
  const answer = lastText.trim() === '' ? '' : `\n  answer: ${firstLines(lastText, 12, '    ').trim()}`
  return `- asked: ${oneLine(asked, 600)}\n  ended: ${end}${answer}`
}
