/** A check that passed on the baseline tree proves nothing by still passing. */
import { hasPassed, type RunState, latestVerdicts } from '../../state/index.ts'
import { collectVotes, guardVeto, type Aggregator, type AggregateVerdict } from './aggregate.ts'
import { openSubGoals, unverifiedSubGoals } from '../../goal/index.ts'
import type { AuthorityEvidence, Verdict } from '../../events/verdicts/index.ts'

/** Undefined if the tree changed since the latest verdicts. */
export function currentVerdict(state: RunState, aggregate: Aggregator): AggregateVerdict | undefined {
  if (state.settings.verifiers.length === 0) return { status: 'skipped', because: [] }
  return speaksOfThisWork(state)
    ? (guardVeto(state) ?? withParts(state, aggregate(collectVotes(state))))
    : undefined
}

/** Only its own checks close a part of the goal, whatever the aggregator. */
function withParts(state: RunState, verdict: AggregateVerdict): AggregateVerdict {
  if (verdict.status !== 'passed' || state.goal.subGoals.length === 0) return verdict
  const passed = hasPassed(state)
  const binding = state.goal.subGoals.filter(({ isProposed }) => !isProposed)
  const open = binding.flatMap(({ checks }) => checks.filter((name) => !passed(name)))
  return open.length === 0 ? verdict : { status: 'failed', because: [...new Set(open)] }
}

function speaksOfThisWork(state: RunState): boolean {
  if (!state.unverifiedWork) return true
  const { current, verified } = state.workspace
  const isUnchanged = current !== undefined && current === verified
  return isUnchanged && state.settings.verifiers.every(({ reads }) => reads === 'workspace')
}

/** @param stoppedByRule the agent can no longer be asked for its claim */
export function isComplete(
  state: RunState,
  verdict: AggregateVerdict | undefined,
  stoppedByRule: boolean,
): boolean {
  if (verdict?.status !== 'passed' || isGoalOpen(state)) return false
  const proven = hasTurnedGreen(state)
  if (!proven && !(state.tally.claimed && hasChangedWorkspace(state))) return false
  const needsClaim = state.settings.completeWhen === 'checks-and-claim' || !proven
  return !needsClaim || state.tally.claimed || stoppedByRule
}

/**
 * Whether a required check passes that failed, or could not run, before the first turn. A check that was
 * undecided then (a timeout, a missing program) may have passed all along. A check of the reply may pass on
 * an empty reply, so something must have been said or done.
 */
export function hasTurnedGreen(state: RunState): boolean {
  return state.settings.verifiers.some(({ name, required, role, reads }) => {
    const check = state.checks[name]
    const isNews =
      check?.baseline === 'failed' ||
      (check?.baseline === undefined &&
        (isAdded(name, state) ? hasChangedWorkspace(state) : reads === 'workspace' || hasAnswered(state)))
    return role === 'check' && required && isNews && check?.latest?.status === 'passed'
  })
}

/** Whether the check was added later and never ran on the baseline tree. */
function isAdded(name: string, { goal }: RunState): boolean {
  return goal.addedChecks.some((check) => check.name === name)
}

function hasAnswered({ lastText, consumption }: RunState): boolean {
  return lastText !== '' || consumption.toolCalls > 0
}

export function hasChangedWorkspace(state: RunState): boolean {
  const { baseline, current, touched } = state.workspace
  if (baseline !== undefined) return touched && current !== baseline
  return state.agent.sideEffects || state.consumption.toolCalls > 0
}

const maxTitles = 3

/** Whether the agent has not heard of a goal change, or a new check has not run yet. */
export function hasNews({ goal }: RunState): boolean {
  return goal.news !== 'none' || goal.unaskedChecks.length > 0
}

/** Whether the goal is open despite passing checks. */
function isGoalOpen(state: RunState): boolean {
  return hasNews(state) || openSubGoals(state.goal, hasPassed(state)).length > 0
}

/** Undefined if every part of the goal is closed. */
export function unverifiedMessage(state: RunState): string | undefined {
  const unverified = unverifiedSubGoals(state.goal, hasPassed(state))
  // A parent waiting for a part without a check is open because of that part.
  const open = unverified.length > 0 ? unverified : openSubGoals(state.goal, hasPassed(state))
  if (open.length === 0) return undefined
  const named = open.slice(0, maxTitles).map(({ id, title }) => `${id} (${title})`)
  const further = open.length > maxTitles ? `, and ${open.length - maxTitles} more` : ''
  const how = unverified.length > 0 ? 'no check decides about' : 'these parts cannot be closed:'
  return `the checks pass, but ${how} ${named.join(', ')}${further}`
}

type VerdictHeard = ReturnType<typeof latestVerdicts>[number]

/**
 * The message of a verified end: the deciding verdicts, the approved check changes with their approver, and
 * the required checks that were left out.
 * @param because names of the deciding checks; default: all required checks that passed
 */
export function completionMessage(state: RunState, because?: readonly string[]): string {
  const heard = latestVerdicts(state)
  const words = heard.flatMap((one) => wordsOf(one, because))
  return [...words, ...allowedMeanwhile(heard)].join('; ')
}

function wordsOf(
  { verifier, verdict }: VerdictHeard,
  because: readonly string[] | undefined,
): readonly string[] {
  const { name, role, required } = verifier
  const { status, reason } = verdict
  if (status === 'skipped') return required ? [`left out: ${name} (${reason})`] : []
  if (role === 'guard') return authorityOf(verdict).length > 0 ? [reason] : []
  const hasDecided = because === undefined ? required && status === 'passed' : because.includes(name)
  return hasDecided ? [reason] : []
}

/** Approvals that the verdict rests on. The guard reports its own. */
function allowedMeanwhile(heard: readonly VerdictHeard[]): readonly string[] {
  const reported = new Set(heard.filter(({ verifier }) => verifier.role === 'guard').flatMap(allowancesOf))
  const all = heard.flatMap(allowancesOf).filter((allowance) => !reported.has(allowance))
  return [...new Set(all)]
}

function allowancesOf({ verdict }: VerdictHeard): readonly string[] {
  return authorityOf(verdict).flatMap(({ paths, by }) => paths.map((path) => `${path} allowed by ${by}`))
}

function authorityOf({ evidence }: Verdict): readonly AuthorityEvidence[] {
  return evidence.filter((piece) => piece.kind === 'authority')
}
