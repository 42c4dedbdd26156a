/** What can be said of a run without asking its drive. */
import { leftWords } from '../../goal/index.ts'
import { latestVerdicts, type RunState } from '../../state/index.ts'
import type { StopTransition } from '../../events/transitions/index.ts'
import type { Verdict } from '../../events/verdicts/index.ts'
import type { VerifierRole } from '../../events/settings/index.ts'
import { hasChangedWorkspace } from '../policies/index.ts'
import { howToGoOn } from './how-to-go-on.ts'

const maxReasonLength = 200
const maxNamed = 5

export function programSummary(state: RunState, end: StopTransition): string {
  return [
    `Done: ${workDone(state)}`,
    `Left: ${workLeft(state)}`,
    `How to go on: ${howToGoOn(state, end)}`,
  ].join('\n')
}

function workDone(state: RunState): string {
  const { iterations, toolCalls } = state.consumption
  const passed = requiredVerdicts(state, ['check', 'probe']).filter(({ status }) => status === 'passed')
  const checks = passed.length === 0 ? 'no required check passes' : `these checks pass: ${namesOf(passed)}`
  const tree = hasChangedWorkspace(state) ? 'the work was changed' : 'the work is as it was'
  return `${checks}; ${tree} in ${countNoun(iterations, 'turn')} with ${countNoun(toolCalls, 'tool call')}.`
}

function workLeft(state: RunState): string {
  const open = requiredVerdicts(state, ['check', 'probe', 'guard']).filter(
    ({ status }) => status !== 'passed' && status !== 'skipped',
  )
  if (open.length === 0) return 'nothing that a check knows of; the task itself was not confirmed as done.'
  const reported = open
    .slice(0, maxNamed)
    .map(({ verifier, status, reason }) => `${oneLine(verifier)} (${status}: ${oneLine(reason)})`)
  const more = open.length - reported.length
  const rest = leftWords(state.left)
  return `${reported.join('; ')}${more > 0 ? `; and ${countNoun(more, 'check')} more` : ''}${rest === undefined ? '' : `; in all ${rest}`}.`
}

function namesOf(verdicts: readonly Verdict[]): string {
  const names = verdicts.slice(0, maxNamed).map(({ verifier }) => oneLine(verifier))
  const more = verdicts.length - names.length
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** What a held-out check said is for its user alone: that role is never asked for. */
function requiredVerdicts(
  state: RunState,
  roles: readonly Exclude<VerifierRole, 'held-out'>[],
): readonly Verdict[] {
  return latestVerdicts(state)
    .filter(({ verifier: { required, role } }) => required && roles.some((one) => one === role))
    .map(({ verdict }) => verdict)
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= maxReasonLength ? line : `${line.slice(0, maxReasonLength - 1)}…`.toWellFormed()
}

function countNoun(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
