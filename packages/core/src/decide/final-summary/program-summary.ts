/** What can be said of a run without asking its drive. */
import { amounts, capTable, typedName, type Amount } from '../../budgets/index.ts'
import { leftWords } from '../../goal/index.ts'
import { latestVerdicts, type RunState } from '../../state/index.ts'
import type { StopTransition } from '../../events/transitions/index.ts'
import type { Verdict } from '../../events/verdicts/index.ts'
import type { VerifierRole } from '../../events/settings/index.ts'
import { hasChangedWorkspace } from '../policies/index.ts'

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

/** What a person may do after an early end, as it is typed. */
export function howToGoOn(state: RunState, end: StopTransition): string {
  const topUp = topUpOf(state, end)
  if (topUp === undefined)
    return 'start a new run that says what was tried and what to try instead; the work is as this run left it.'
  if (state.parent !== undefined) return 'give the run that it is a part of more, or let it delegate less.'
  return `donecheck resume ${state.runId} --top-up ${topUp}`
}

/** Such as `turns=45`: what lets a run go on that ended at a cap. Undefined: more of something would not help. */
export function topUpOf(state: RunState, { reason, cap }: StopTransition): string | undefined {
  const amount = amounts.find((name) => capTable[name].cap === cap)
  const limit = amount === undefined ? null : state.settings.caps[capTable[amount].field]
  if (reason !== 'hard_cap' || amount === undefined || limit === null) return undefined
  return `${typedName(amount)}=${half(amount, limit)}`
}

/** Half as much again; times in seconds, as they are typed. */
function half(amount: Amount, limit: number): number {
  if (capTable[amount].kind === 'cost') return Number((limit / 2).toPrecision(2))
  return Math.max(1, Math.ceil(limit / (capTable[amount].kind === 'time' ? 2000 : 2)))
}
