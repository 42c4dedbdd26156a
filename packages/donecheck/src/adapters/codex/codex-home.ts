import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where Codex keeps its settings and the records of its threads. */
export function codexHomeOf(environment: Readonly<Record<string, string | undefined>>): string {
  const { CODEX_HOME: chosen, HOME: home } = environment
  return chosen === undefined || chosen === '' ? join(home ?? homedir(), '.codex') : chosen
}
