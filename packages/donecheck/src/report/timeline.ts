/** A whole run for a person: what happened, turn by turn, and when. */
import { evolve, type RunEvent, type RunState } from '../events/index.ts'
import { eventLines } from './event-lines.ts'
import type { Line } from './line.ts'
import { firstLines } from '../display-text.ts'

/** Every line with the seconds since the run began. */
export function timeline(events: readonly RunEvent[]): readonly Line[] {
  const startedMs = events[0]?.timeMs ?? 0
  let state: RunState | undefined
  return events.flatMap((event) => {
    state = evolve(state, event)
    return lines(event, state).map(({ tone, text }) => ({
      tone,
      text: stamped(event.timeMs - startedMs, text),
    }))
  })
}

/** What was said is shown here; while a run goes on it streams to the terminal by itself. */
function lines(event: RunEvent, state: RunState): readonly Line[] {
  const told = eventLines(event, state)
  if (event.type === 'model-replied' && event.text.trim() !== '')
    return [{ tone: 'plain', text: firstLines(event.text, 6, '  | ') }, ...told]
  if (event.type === 'turn-ended' && event.feedback !== undefined)
    return [...told, { tone: 'quiet', text: firstLines(event.feedback, 6, '  > ') }]
  return told
}

function stamped(elapsedMs: number, text: string): string {
  const stamp = `${(elapsedMs / 1000).toFixed(2).padStart(9)}  `
  return text
    .split('\n')
    .map((part, index) => (index === 0 ? stamp : ' '.repeat(stamp.length)) + part)
    .join('\n')
}
