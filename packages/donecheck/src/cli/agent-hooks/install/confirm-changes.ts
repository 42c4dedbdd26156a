/** A plan is shown, and a person says yes to it. */
import { select } from '@clack/prompts'
import { harmless } from '@donecheck/core/base'
import { UsageError } from '@donecheck/engine/base'
import type { CliIo } from '../../process/io.ts'
import { changeLine, diffOf, isChange, type FileChange } from '../settings/file-change.ts'

export interface SettingsFlags {
  readonly scope?: 'user' | 'project'
  readonly yes?: boolean
  readonly dryRun?: boolean
}

/**
 * False: nothing may be written. A diff is shown to whoever asks for it: most lines of settings are long, and alike.
 * @throws {UsageError} where somebody would have to be asked, and nobody can be
 */
export async function confirmChanges(
  all: readonly FileChange[],
  flags: SettingsFlags,
  io: CliIo,
  question = 'Change these files?',
): Promise<boolean> {
  const changes = all.filter(isChange)
  const diff = () => harmless(changes.map(diffOf).join(''))
  for (const change of changes) io.stdout.write(`${harmless(changeLine(change))}\n`)
  if (flags.dryRun === true) {
    io.stdout.write(diff())
    return false
  }
  // Within an agent a person is asked even where nothing would change: what holds it is not for it to say.
  const agent = surroundingAgent(io.environment)
  if (agent === undefined && (flags.yes === true || changes.length === 0)) return true
  if (!io.stdin.isTTY || !io.stderr.isTTY) throw unattendedError(agent)
  for (;;) {
    // A letter alone decides nothing: what is typed ahead would be taken for an answer.
    const answer = await select({
      message: harmless(question),
      options: [
        { value: 'n', label: 'no, change nothing' },
        { value: 'y', label: 'yes' },
        { value: 'd', label: 'show every line first' },
      ],
      ...{ initialValue: 'n', input: io.stdin, output: io.stderr },
    })
    if (answer !== 'd') return answer === 'y'
    io.stdout.write(diff())
  }
}

function unattendedError(agent: string | undefined): UsageError {
  return new UsageError(
    agent === undefined
      ? 'nobody can be asked whether to change these files: say so with --yes, or see every line with --dry-run'
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
