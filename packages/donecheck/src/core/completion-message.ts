import type { RunState, Verdict, VerifierDescription } from '../events/index.ts'

/**
 * What the end of a run that is verified says: what the checks that decided have said, which changes of the checks were
 * allowed and by whom, and which required checks were left out.
 * @param because names of the checks that decided; absent: all that are required and have passed
 */
export function completionMessage(state: RunState, because?: readonly string[]): string {
  return state.settings.verifiers
    .flatMap((verifier) => {
      const verdict = state.checks[verifier.name]?.latest
      return verdict === undefined ? [] : wordsOf(verifier, verdict, because)
    })
    .join('; ')
}

function wordsOf(
  { name, role, required }: VerifierDescription,
  verdict: Verdict,
  because: readonly string[] | undefined,
): readonly string[] {
  const { status, reason } = verdict
  if (status === 'skipped') return required ? [`left out: ${name} (${reason})`] : []
  if (role === 'guard') return isAllowed(verdict) ? [reason] : []
  const hasDecided = because === undefined ? required && status === 'passed' : because.includes(name)
  return hasDecided ? [reason] : []
}

/** The verdict rests on somebody's word: that belongs to the end. */
function isAllowed({ evidence }: Verdict): boolean {
  return evidence.some(({ kind }) => kind === 'authority')
}
