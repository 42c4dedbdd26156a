import type { RunEvent } from 'donecheck'
import {
  goalSet,
  modelCalled,
  modelProposed,
  toolCall,
  toolCalled,
  toolReturned,
  turnEnded,
} from '@donecheck/core/internal/testing/facts'
import { runStarted, stamp } from '@donecheck/core/testing'

/** A stream of so many events: turn after turn of one call each. */
export function longStream(length: number): readonly RunEvent[] {
  const output = 'export const answer = 42\n'.repeat(10)
  const turns = Array.from({ length: Math.ceil(length / 5) }, (_, index) => {
    const turn = index + 1
    const call = toolCall(`call-${turn}`, 'read_file', { path: 'src/index.ts' })
    return [
      modelCalled(turn),
      modelProposed(call),
      toolCalled(call.callId, 'read', 'read_file'),
      toolReturned(call.callId, output),
      turnEnded(turn),
    ]
  })
  return stamp([runStarted(), goalSet('go on'), ...turns.flat()]).slice(0, length)
}
