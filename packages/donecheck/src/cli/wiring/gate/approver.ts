import { acceptAll, refuseAll } from '@donecheck/engine/approvals'
import { terminalApprover } from '../../../terminal/index.ts'
import type { Config } from '../../../config/index.ts'
import type { Approver } from '@donecheck/engine/ports/gate'
import type { CliIo } from '../../process/io.ts'

/**
 * Who is asked.
 * @param interrupt for Ctrl-C at a question, which no signal tells of
 * @param asked somebody else than this terminal
 */
export function approverOf(
  config: Config,
  io: CliIo,
  interrupt: (name: string) => void,
  asked?: Approver,
): Approver {
  if (config.yes === true) return acceptAll('--yes')
  if (asked !== undefined) return asked
  if (io.stdin.isTTY && io.stderr.isTTY) {
    return terminalApprover({ input: io.stdin, output: io.stderr, onCancel: () => interrupt('Ctrl-C') })
  }
  return refuseAll('nobody can be asked, for there is no terminal and the run was started without --yes')
}
