/** How a part of a run is checked: what decides of the whole is asked of the whole, once its parts have come together. */
import type { AgentLoopOptions } from '@donecheck/engine/compose'
import type { RunPart } from '@donecheck/fleet/worker'

/** How checks come together, and what is asked beside them: of the whole alone. */
const ofTheWhole = ['verifyReplies', 'policy', 'power', 'completeWhen'] as const

/** @param options of the whole */
export function optionsOfPart(
  options: AgentLoopOptions,
  { checks }: Pick<RunPart, 'checks'>,
): AgentLoopOptions {
  const { hardVerifiers = [], waive = [], quarantine = [] } = options
  const isOwn = ({ check }: { readonly check: string }) => checks.includes(check)
  const left = {
    ...options,
    hardVerifiers: hardVerifiers.filter(
      (verifier) => 'description' in verifier && isOwn({ check: verifier.description.name }),
    ),
    ...{ waive: waive.filter(isOwn), quarantine: quarantine.filter(isOwn), seal: [] },
  }
  for (const name of ofTheWhole) Reflect.deleteProperty(left, name)
  return left
}
