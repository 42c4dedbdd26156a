/** Whether this very command was started by an agent: what holds it is not for it to change. */

const marks = [
  'CLAUDECODE',
  'CODEX_SANDBOX',
  'CODEX_THREAD_ID',
  'GEMINI_CLI',
  'QWEN_CODE',
  'COPILOT_CLI',
  'CURSOR_AGENT',
  'OPENCODE',
] as const

/** The variable by which the agent around it is known; undefined: none is seen. */
export function agentAround(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  return marks.find((name) => (environment[name] ?? '') !== '')
}
