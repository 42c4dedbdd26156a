/** A session begins, or is gone on with: what it is for, and what is still open. */
import type { HostAnswer } from '../agents/index.ts'
import type { RunState } from '../events/index.ts'
import { pass } from './answers.ts'
import type { Place } from './place.ts'

export async function recall({ session }: Place): Promise<HostAnswer> {
  const { state } = session
  if (state.phase.kind === 'stopped' || state.turn === 0) return pass
  return { kind: 'pass', context: goalWords(state) }
}

const longestTask = 2_000

export function goalWords(state: RunState): string {
  const task = state.task.length <= longestTask ? state.task : `${state.task.slice(0, longestTask)} […]`
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
