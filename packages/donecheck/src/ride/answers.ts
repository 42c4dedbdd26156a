/** How what the engine decided is said to a host. */
import type { HostAnswer } from '../agents/index.ts'
import type { RunState, StopTransition } from '../events/index.ts'
import type { Place } from './place.ts'

export const pass: HostAnswer = { kind: 'pass' }

/** To a claim after which the run is over: the host may let its agent go, and its user reads what is true. */
export function letGo(end: StopTransition): HostAnswer {
  return { kind: 'pass', notice: `donecheck: ${endWords(end)}` }
}

/** In the middle of a turn. */
export function endNow(end: StopTransition): HostAnswer {
  return { kind: 'end', message: `donecheck: ${endWords(end)}` }
}

export function endWords({ outcome, reason, cap, message }: StopTransition): string {
  if (outcome === 'verified') return `verified: ${message}`
  const why = cap === undefined ? reason : `${reason}, ${cap}`
  return `NOT verified (${outcome}, ${why}): ${message}`
}

export function endOf({ phase }: RunState): StopTransition | undefined {
  return phase.kind === 'stopped' ? phase.transition : undefined
}

/** What was said while this event was taken up, for the model to read with its next input. Each piece is told once. */
export function adviceIn({ recorded }: Place): readonly string[] {
  return recorded.flatMap((event) =>
    event.type === 'finding-noted' && event.finding.advice !== undefined ? [event.finding.advice] : [],
  )
}

/** What the agent is sent back with, where the last turn ended in this very event. */
export function feedbackIn({ recorded, memory }: Place): string | undefined {
  const ended = recorded.findLast((event) => event.type === 'turn-ended')
  if (ended?.type !== 'turn-ended') return undefined
  const { feedback } = ended
  if (feedback === undefined) return undefined
  return memory.told.reduce((text, advice) => text.replace(`\n\n${advice}`, ''), feedback)
}
