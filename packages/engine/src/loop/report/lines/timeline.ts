/** A whole run for a person: what happened, turn by turn, and when. */
import { evolve, type RunState } from '@donecheck/core/state'
import type { RunEvent } from '@donecheck/core/events'
import { eventLines } from './event-lines.ts'
import { line, type Line } from './line.ts'
import { firstLines } from '@donecheck/core/base'

/** Every line with the seconds since the run began. */
export function timeline(events: readonly RunEvent[]): readonly Line[] {
  const startedMs = events[0]?.timeMs ?? 0
  let state: RunState | undefined
  return events.flatMap((event) => {
    state = evolve(state, event)
    return lines(event, state).map(({ tone, text }) => ({
      tone,
      text: stampLines(event.timeMs - startedMs, text),
    }))
  })
}

/** What was said is shown here; while a run goes on it streams to the terminal by itself. */
function lines(event: RunEvent, state: RunState): readonly Line[] {
  const reported = eventLines(event, state)
  if (event.type === 'model-replied' && event.text.trim() !== '')
    return [line('plain', firstLines(event.text, 6, '  | ')), ...reported]
  if (event.type === 'turn-ended' && event.feedback !== undefined)
    return [...reported, line('quiet', firstLines(event.feedback, 6, '  > '))]
  return reported
}

function stampLines(elapsedMs: number, text: string): string {
  const stamp = `${(elapsedMs / 1000).toFixed(2).padStart(9)}  `
  return text
    .split('\n')
    .map((part, index) => (index === 0 ? stamp : ' '.repeat(stamp.length)) + part)
    .join('\n')
}
