/** The folder that a variable of an agent names. Pure. */
import { resolve } from 'node:path'
import type { SettingsPlace } from './hook-settings.ts'

/** What a variable holds; undefined: it is not set, or set to nothing. */
export function variableIn(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  const value = environment[name]
  return value === undefined || value.trim() === '' ? undefined : value
}

/**
 * Absolute. A value that is not begins where the agent is started, which is taken to be the project.
 * @param usual where the variable says nothing
 */
export function folderNamed(name: string, { environment, workFolder }: SettingsPlace, usual: string): string {
  const value = variableIn(environment, name)
  return value === undefined ? usual : resolve(workFolder, value)
}
