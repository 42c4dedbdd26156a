/**
 * The rivals name their own tools (`read_file`, `terminal`, …); recorded agents have others. These patterns carry the
 * rivals' lists over to the names that agents commonly give to tools of the same kind.
 */
import type { CallStep } from '../detector.ts'

/**
 * `poll` asks how something is that goes on by itself. `code` runs a program given as text. `other`: nothing is known of
 * its effects.
 */
export type ToolKind = 'poll' | 'shell' | 'code' | 'edit' | 'read' | 'other'

const poll =
  /^(poll|wait|sleep|continue_wait|command_status|(get|check)_\w*status)(_|$)|_(poll|wait|status)$/i
const shell =
  /^(bash|sh|shell|terminal|exec|execute|execute_bash|execute_command|run_shell_command|run_command|run_terminal_cmd|process)$/i
const code = /^(execute_code|run_code|code|python|ipython)$/i
const edit =
  /^(write|edit|patch|apply_patch|create|str_replace|replace|insert|append|delete|remove|move|rename|save)(_|$)/i
const read =
  /^(read|view|open|cat|get|list|ls|search|find|grep|glob|fetch|lookup|show|query|goto|scroll|web_search|web_extract)(_|$)/i

/** By name, and by the sub-command for the two well-known tools that have one. */
export function kindOf({ tool, args }: Pick<CallStep, 'tool' | 'args'>): ToolKind {
  if (/^process$/i.test(tool) && /^(poll|log|wait)$/.test(argumentOf(args, 'action'))) return 'poll'
  if (/^str_replace_editor$/i.test(tool) && argumentOf(args, 'command') === 'view') return 'read'
  if (poll.test(tool)) return 'poll'
  if (shell.test(tool)) return 'shell'
  if (code.test(tool)) return 'code'
  if (edit.test(tool)) return 'edit'
  return read.test(tool) ? 'read' : 'other'
}

/** Empty: there is no such argument, or it is no text. */
export function argumentOf(args: CallStep['args'], name: string): string {
  if (typeof args !== 'object' || args === null) return ''
  const [, value] = Object.entries(args).find(([key]) => key === name) ?? []
  return typeof value === 'string' ? value : ''
}
