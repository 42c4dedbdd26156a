/** A plan is shown, and a person says yes to it. */
import { confirm, isCancel } from '@clack/prompts'
import { harmless } from '../../display-text.ts'
import { UsageError } from '../../errors.ts'
import type { SettingsFlags } from '../hook-options.ts'
import type { CliIo } from '../io.ts'
import { diffOf, isChange, shortDiffOf, type FileChange } from './file-change.ts'
import { agentAround } from './inside-agent.ts'

/**
 * False: nothing may be written.
 * @throws {UsageError} where somebody would have to be asked, and nobody can be
 */
export async function agreed(
  changes: readonly FileChange[],
  flags: SettingsFlags,
  io: CliIo,
  question = 'Change these files?',
): Promise<boolean> {
  const shown = flags.dryRun === true ? diffOf : shortDiffOf
  for (const change of changes) io.stdout.write(harmless(shown(change)))
  if (flags.dryRun === true) return false
  // Within an agent a person is asked even where nothing would change: what holds it is not for it to say.
  const agent = agentAround(io.environment)
  if (agent === undefined && (flags.yes === true || !changes.some(isChange))) return true
  if (!io.stdin.isTTY || !io.stderr.isTTY) throw nobodyToAsk(agent)
  const answer = await confirm({ message: harmless(question), input: io.stdin, output: io.stderr })
  return !isCancel(answer) && answer
}

function nobodyToAsk(agent: string | undefined): UsageError {
  return new UsageError(
    agent === undefined
      ? 'nobody can be asked whether to change these files: say so with --yes'
      : `this was started by an agent (${agent} is set), and what holds it is for a person to change: type it in a terminal of your own`,
  )
}
