/** A check that cannot decide at the claim: by its user's choice the agent is let go, and nothing counts as verified. */
import type { Policy, Rule } from '../core/index.ts'

export const brokenCheck: Rule = (state) => {
  const { phase, settings, checks, tally, turnOpen } = state
  if (phase.kind !== 'judging' || phase.verifiedBy === undefined || !tally.claimed || !turnOpen)
    return undefined
  const open = settings.verifiers.flatMap(({ name, required }) => {
    const latest = checks[name]?.latest
    const isOpen = latest !== undefined && latest.status !== 'passed' && latest.status !== 'skipped'
    return required && isOpen ? [latest] : []
  })
  const [first] = open
  if (first === undefined || open.some(({ status }) => status !== 'error')) return undefined
  return {
    rule: 'broken_check',
    level: 'stop',
    message: `${first.verifier} could not decide: ${first.reason}`,
    numbers: { broken: open.length },
    restsOn: [state.sequence],
    stop: { reason: 'blocked' },
  }
}

/** The same policy, by which no broken check decides before all have answered: a red one behind it is to be heard. */
export function hearingAll(policy: Policy): Policy {
  const patient: Policy = (ballots) => {
    const verdict = policy(ballots)
    return verdict.status === 'error' ? { ...verdict, status: 'pending' } : verdict
  }
  return Object.assign(patient, { shadows: policy.shadows ?? [] })
}
