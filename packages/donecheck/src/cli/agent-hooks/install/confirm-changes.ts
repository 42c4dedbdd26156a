/** A plan is shown, and a person says yes to it. */
import { confirm, isCancel } from '@clack/prompts'
import { harmless } from '@donecheck/core/base'
import { UsageError } from '@donecheck/engine/base'
import type { SettingsFlags } from '../../options/hook-options.ts'
import type { CliIo } from '../../process/io.ts'
import { diffOf, isChange, shortDiffOf, type FileChange } from '../settings/file-change.ts'

/**
 * False: nothing may be written.
 * @throws {UsageError} where somebody would have to be asked, and nobody can be
 */
export async function confirmChanges(
  changes: readonly FileChange[],
  flags: SettingsFlags,
  io: CliIo,
  question = 'Change these files?',
): Promise<boolean> {
  const shown = flags.dryRun === true ? diffOf : shortDiffOf
  for (const change of changes) io.stdout.write(harmless(shown(change)))
  if (flags.dryRun === true) return false
  // Within an agent a person is asked even where nothing would change: what holds it is not for it to say.
  const agent = surroundingAgent(io.environment)
  if (agent === undefined && (flags.yes === true || !changes.some(isChange))) return true
  if (!io.stdin.isTTY || !io.stderr.isTTY) throw unattendedError(agent)
  const answer = await confirm({ message: harmless(question), input: io.stdin, output: io.stderr })
  return !isCancel(answer) && answer
}

function unattendedError(agent: string | undefined): UsageError {
  return new UsageError(
    agent === undefined
      ? 'nobody can be asked whether to change these files: say so with --yes'
      : `this was started by an agent (${agent} is set), and what holds it is for a person to change: type it in a terminal of your own`,
  )
}

const agentVariables = [
  ...['CLAUDECODE', 'CODEX_SANDBOX', 'CODEX_THREAD_ID', 'GEMINI_CLI'],
  ...['QWEN_CODE', 'COPILOT_CLI', 'CURSOR_AGENT', 'OPENCODE'],
]

/** The variable by which the agent that started this very command is known; undefined: none is seen. */
export function surroundingAgent(
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return agentVariables.find((name) => (environment[name] ?? '') !== '')
}
