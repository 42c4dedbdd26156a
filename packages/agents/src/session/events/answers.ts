/** How what the engine decided is said to a host. */
import type { RunState } from '@donecheck/core/state'
import type { StopTransition } from '@donecheck/core/transitions'
import type { HostAnswer } from '../../protocol/host/index.ts'
import type { SessionContext } from '../record/session-context.ts'

export const pass: HostAnswer = { kind: 'pass' }

/** To a claim after which the run is over: the host may let its agent go, and its user reads what is true. */
export function allowStop(end: StopTransition): HostAnswer {
  return { kind: 'pass', notice: `donecheck: ${describeEnd(end)}` }
}

/** In the middle of a turn. */
export function endNow(end: StopTransition): HostAnswer {
  return { kind: 'end', message: `donecheck: ${describeEnd(end)}` }
}

function describeEnd({ outcome, reason, cap, message }: StopTransition): string {
  if (outcome === 'verified') return `verified: ${message}`
  const why = cap === undefined ? reason : `${reason}, ${cap}`
  return `NOT verified (${outcome}, ${why}): ${message}`
}

export function endOf({ phase }: RunState): StopTransition | undefined {
  return phase.kind === 'stopped' ? phase.transition : undefined
}

/** What was said while this event was taken up, for the model to read with its next input. Each piece is told once. */
export function adviceIn({ recorded }: SessionContext): readonly string[] {
  return recorded.flatMap((event) =>
    event.type === 'finding-noted' && event.finding.advice !== undefined ? [event.finding.advice] : [],
  )
}

/** What the agent is told when its stop is blocked, where the last turn ended in this very event. */
export function feedbackIn({ recorded, memory }: SessionContext): string | undefined {
  const ended = recorded.findLast((event) => event.type === 'turn-ended')
  if (ended?.type !== 'turn-ended') return undefined
  const { feedback } = ended
  if (feedback === undefined) return undefined
  return memory.adviceGiven.reduce((text, advice) => text.replace(`\n\n${advice}`, ''), feedback)
}

/** A session begins, or is gone on with: what it is for, and what is still open. */
export async function remindOfGoal({ session }: SessionContext): Promise<HostAnswer> {
  const { state } = session
  if (state.phase.kind === 'stopped' || state.turn === 0) return pass
  return { kind: 'pass', context: describeGoal(state) }
}

const maxTaskLength = 2_000

function describeGoal(state: RunState): string {
  const task = state.task.length <= maxTaskLength ? state.task : `${state.task.slice(0, maxTaskLength)} […]`
  const checks = state.settings.verifiers.filter(({ role, required }) => role === 'check' && required)
  const open = checks.flatMap(({ name }) => {
    const latest = state.checks[name]?.latest
    return latest === undefined || latest.status === 'passed' ? [] : [`- ${name}: ${latest.reason}`]
  })
  return [
    `The task that is going on: ${task}`,
    `It is done when these checks pass: ${checks.map(({ name }) => name).join(', ') || 'none'}.`,
    ...(open.length === 0 ? [] : ['They said last:', ...open]),
  ].join('\n')
}
