/** Checks that come while a run goes on: made as those of its start were, and known to the guard as they are. */
import type { CommandCheck } from '@donecheck/core/goal'
import type { SecretValues } from '@donecheck/core/secrets'
import { command } from '../../../checks/verify/index.ts'
import type { Verifier } from '../../../ports/checks.ts'
import type { Checking, MoreChecks } from '../../run/index.ts'
import { faultTrialOf, guardOf, type GuardedParts, type GuardingOptions } from '../options/guard.ts'
import { checksOf } from './hard-verifiers.ts'

interface Given extends GuardingOptions {
  readonly addedCheck?: (check: CommandCheck) => Verifier
}

/** Null: there is no folder in which a command could look at the work. */
export function moreChecksOf(
  options: Given,
  {
    checking,
    secrets,
    ...guarded
  }: GuardedParts & { readonly checking: Checking; readonly secrets: SecretValues },
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
      return {
        verifiers: added,
        guard: guardOf(options, known),
        checking: { ...checking, faults: faultTrialOf(options, known) },
      }
    },
  }
}
