import { allRequired, deterministicVeto, outcomeOf, type Ballot, type Policy } from '../../core/index.ts'
import { fold, type RunEvent, type Verdict } from '../../events/index.ts'

/** The policies that anybody can ask by their recorded names. Of others it is only known that something must have passed. */
const policies: Readonly<Record<string, Policy>> = { deterministicVeto, allRequired }
const somePassed: Policy = (ballots) => {
  const isPassed = ballots.some(({ verdict, required }) => required && verdict.status === 'passed')
  return { status: isPassed ? 'passed' : 'failed', because: [] }
}

/** Where the end of a run is not what its own verdicts say; undefined: nowhere. */
export function contradictionIn(events: readonly RunEvent[]): string | undefined {
  const state = fold(events)
  if (state?.phase.kind !== 'stopped') return undefined
  const { reason, outcome } = state.phase.transition
  if (outcomeOf[reason] !== outcome) return `it ends as ${outcome}, which ${reason} never is`
  if (outcome !== 'verified') return undefined
  const latest = new Map<string, Verdict>()
  for (const event of events)
    if (event.type === 'verdict-given') latest.set(event.verdict.verifier, event.verdict)
  const ballots = state.settings.verifiers.flatMap(({ name, ...voter }) => {
    const verdict = latest.get(name)
    return verdict === undefined ? [] : [{ ...voter, verdict }]
  })
  const guards = ballots.filter(({ role }) => role === 'guard')
  const votes: readonly Ballot[] = ballots.filter(({ role }) => role !== 'guard')
  const policy = policies[state.settings.policy] ?? somePassed
  const isBorneOut =
    guards.every(({ verdict }) => verdict.status === 'passed') && policy(votes).status === 'passed'
  if (isBorneOut) return undefined
  const said = ballots.map(({ verdict }) => `${verdict.verifier} ${verdict.status}`).join(', ')
  return `it ends as verified, and its latest verdicts are: ${said === '' ? 'none' : said}`
}
