import type { AuthorityEvidence, Verdict } from '../../events/verdicts/index.ts'
import { latestVerdicts, type RunState } from '../../state/index.ts'

type VerdictHeard = ReturnType<typeof latestVerdicts>[number]

/**
 * What the end of a run that is verified says: what the checks that decided have said, which changes of the checks were
 * allowed and by whom, and which required checks were left out.
 * @param because names of the checks that decided; absent: all that are required and have passed
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

/** The verdict rests on somebody's word: that belongs to the end. The guard tells itself of what it was allowed before. */
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
