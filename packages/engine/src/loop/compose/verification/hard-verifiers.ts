import { maskText, type SecretValues } from '@donecheck/core/internal/secrets'
import { given } from '../../../base/index.ts'
import type { Verifier } from '../../../ports/checks.ts'
import { command, verifierOf, type UserVerifier } from '../../../checks/verify/index.ts'
import type { CommandCheck } from '@donecheck/core/internal/goal'
import type { MoreChecks } from '../../run/index.ts'
import { guardOf, type GuardedParts, type GuardingOptions } from '../options/guard.ts'

export type HardVerifiers = string | readonly (Verifier | UserVerifier | string)[]

interface Given {
  readonly hardVerifiers?: HardVerifiers
}

export function checksOf(
  { hardVerifiers = [] }: Given,
  secrets: SecretValues,
  workFolder: string | null,
): readonly Verifier[] {
  return (typeof hardVerifiers === 'string' ? [hardVerifiers] : hardVerifiers)
    .map(asVerifier)
    .map((verifier) => (workFolder === null ? withoutFolder(verifier) : verifier))
    .map((verifier) => maskVerifierName(verifier, secrets))
}

function withoutFolder(verifier: Verifier): Verifier {
  if (verifier.readsAnswerWithoutFolder !== true) return verifier
  return { ...verifier, description: { ...verifier.description, reads: 'answer' } }
}

function asVerifier(check: Verifier | UserVerifier | string, index: number): Verifier {
  if (typeof check === 'string') return command(check)
  if (typeof check !== 'function') return check
  return verifierOf(check.name === '' ? `verifier-${index + 1}` : check.name, check)
}

/** Masks the name, because it is recorded. */
function maskVerifierName(verifier: Verifier, secrets: SecretValues): Verifier {
  const { description, retry, exclusive, looksAt } = verifier
  const name = maskText(description.name, secrets)
  return {
    description: { ...description, name },
    ...(verifier.ready === undefined
      ? {}
      : { ready: (context) => verifier.ready?.(context) ?? Promise.resolve() }),
    ...given({ retry, exclusive, looksAt }),
    get inputs() {
      return verifier.inputs
    },
    doubt: () => verifier.doubt?.(),
    hasReadRun: () => verifier.hasReadRun?.() ?? false,
    verify: (context, signal) => verifier.verify(context, signal),
  }
}

interface MoreChecksOptions extends GuardingOptions {
  readonly addedCheck?: (check: CommandCheck) => Verifier
}

export function moreChecksOf(
  options: MoreChecksOptions,
  { secrets, ...guarded }: GuardedParts & { readonly secrets: SecretValues },
): MoreChecks | null {
  const { workFolder, verifiers } = guarded
  if (workFolder === null) return null
  const { addedCheck = ({ name, command: line }) => command(line, { name }) } = options
  const made = (checks: readonly CommandCheck[]) =>
    checksOf({ hardVerifiers: checks.map(addedCheck) }, secrets, workFolder)
  return {
    describe: (checks) => made(checks).map(({ description }) => description),
    make: (checks) => {
      const added = made(checks)
      const known = { ...guarded, verifiers: [...verifiers, ...added] }
      return { verifiers: added, guard: guardOf(options, known) }
    },
  }
}
