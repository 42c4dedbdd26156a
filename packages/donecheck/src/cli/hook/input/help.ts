/** `donecheck hook` is for agents: a person who types it is told so, instead of being waited for. */
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

/** @returns undefined where an agent may be calling */
export function answerToPerson(words: readonly string[], isTyped = isTerminal): HookReply | undefined {
  if (words.includes('--help') || words.includes('-h'))
    return { exitCode: 0, stdout: explanation, stderr: '' }
  // Exit code 2 would be a block to some agents.
  return isTyped() ? { exitCode: 1, stdout: '', stderr: explanation } : undefined
}

/** Standard input. What it takes to ask is loaded only where it could be one. */
function isTerminal(): boolean {
  try {
    return fstatSync(0).isCharacterDevice() && process.getBuiltinModule('node:tty').isatty(0)
  } catch {
    return false
  }
}
