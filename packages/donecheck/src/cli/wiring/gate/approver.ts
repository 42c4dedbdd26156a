import { acceptAll, refuseAll, storeApprover } from '@donecheck/engine/approvals'
import { terminalApprover } from '../../../terminal/index.ts'
import type { Config } from '../../../config/index.ts'
import { given } from '@donecheck/engine/base'
import type { Approver } from '@donecheck/engine/ports/gate'
import type { Questions } from '@donecheck/engine/ports/questions'
import type { CliIo } from '../../process/io.ts'
import { secretsOf } from '../../settings/secrets.ts'

export interface Asking {
  /** For Ctrl-C at a question, which no signal tells of. */
  readonly interrupt: (name: string) => void
  /** Somebody else than this terminal. */
  readonly asked?: Approver | undefined
  /** Where questions are kept, for other processes to answer. */
  readonly store?: Questions
  /** Told how to answer where nobody is asked here. */
  readonly notice?: (message: string) => void
}

/** Who is asked. */
export function approverOf(config: Config, io: CliIo, { interrupt, asked, store, notice }: Asking): Approver {
  if (config.yes === true) return acceptAll('--yes')
  const isAtTerminal = io.stdin.isTTY === true && io.stderr.isTTY === true
  const atTerminal = { input: io.stdin, output: io.stderr, onCancel: () => interrupt('Ctrl-C') }
  const person = asked ?? (isAtTerminal ? terminalApprover(atTerminal) : undefined)
  if (store === undefined) return person ?? refuseAll(nobody)
  const kept = { store, secrets: secretsOf(io.environment, config.secrets ?? []) }
  // Calls are refused at once; what the tamper guard asks is kept for an answer after the run.
  if (person === undefined && config.ask !== 'page') return keepGuardQuestions(storeApprover(kept))
  return storeApprover({
    ...kept,
    ...(person === undefined ? { onWaiting: ({ id }) => notice?.(waysToAnswer(id)) } : { beside: person }),
  })
}

/** Nobody is here: a call is refused, and what can wait for an answer is kept. */
function keepGuardQuestions(keeper: Approver): Approver {
  const askOnce = keeper.askOnce?.bind(keeper)
  return { ...refuseAll(nobody), ...given({ askOnce }) }
}

/**
 * One line at the start of a run that can ask no person: what it refuses, and how to allow it.
 * @returns undefined if somebody can be asked, or nothing would be
 */
export function refusalNotice(
  { ask, yes, approval, gate, keptCheckLines = [] }: Config,
  { stdin, stderr }: CliIo,
): string | undefined {
  const isAtTerminal = stdin.isTTY === true && stderr.isTTY === true
  if (yes === true || ask === 'page' || isAtTerminal || approval === 'never' || gate === 'shadow')
    return undefined
  const own = keptCheckLines.length === 0 ? '' : ` (but not ${keptCheckLines.join(', ')})`
  return `no terminal: what needs an approval is refused${own}; allow it with --yes`
}

const nobody =
  'nobody can be asked, for there is no terminal and the run was started without --yes or DONECHECK_ASK=page'

/** For whoever reads what a run says that has no terminal. */
export function waysToAnswer(id: string): string {
  return `it waits: donecheck approve ${id}, or donecheck deny ${id} --reason "why"`
}
