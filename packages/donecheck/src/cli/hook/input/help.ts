import { fstatSync } from 'node:fs'
import type { HookReply } from '@donecheck/agents/hooks'

const explanation = `donecheck hook AGENT EVENT [--timeout SECONDS]

Agents start this by themselves: it reads on standard input, as JSON, what happened, and answers in the agent's own words.
  donecheck install AGENT   puts it into the settings of an agent
  donecheck doctor          tries what is installed
  donecheck list --sessions          tells how the sessions stand

Examples:
  $ donecheck hook claude-code Stop --timeout 600 < payload.json
`

/** @returns undefined if an agent may be calling */
export function answerToPerson(words: readonly string[], isTyped = isTerminal): HookReply | undefined {
  if (words.includes('--help') || words.includes('-h'))
    return { exitCode: 0, stdout: explanation, stderr: '' }
  // Some agents take exit code 2 for a block.
  return isTyped() ? { exitCode: 1, stdout: '', stderr: explanation } : undefined
}

/** Loads node:tty only if standard input may be a terminal. */
function isTerminal(): boolean {
  try {
    return fstatSync(0).isCharacterDevice() && process.getBuiltinModule('node:tty').isatty(0)
  } catch {
    return false
  }
}
