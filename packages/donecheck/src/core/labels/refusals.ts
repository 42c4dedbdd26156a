/** Why a call of a tool was not run, by name. */
import type { RefusalLabel } from '../../events/index.ts'

/** One sentence each. The compiler asks for a new one. */
export const refusalMeanings: Readonly<Record<RefusalLabel, string>> = {
  policy_forbidden: 'A rule of the policy forbids the command.',
  dangerous_command: 'The built-in floor: it destroys what cannot be had back.',
  undecidable_command: 'Nobody can say what the command would run, and the policy takes no such command.',
  approval_required: 'It must be asked for.',
  approval_unavailable:
    'It must be asked for, and nobody is asked: by the approval policy, or because nobody is there.',
  approval_denied: 'Whoever was asked said no.',
  outside_work_folder: 'It would change something outside of the work folder.',
  protected_file: 'It would change what decides whether the work is done.',
  invalid_patch: 'The patch does not apply as a whole, so nothing of it was written.',
  hook_denied: 'A registered hook forbids it, or failed and fails closed.',
  gate_failed: 'The gate itself failed, and a gate that fails allows nothing.',
}
