import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** A file that may be run. */
export function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/**
 * Where a program stands that is started by this name.
 * @param program a path, or a name to look up on `PATH`
 * @returns undefined if it is not installed
 */
export function findProgram(
  program: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  if (program.includes('/')) return isRunnable(program) ? program : undefined
  // A place that is not absolute would be another one in another folder: the agent's, for instance.
  const places = (environment['PATH'] ?? '').split(delimiter).filter((place) => isAbsolute(place))
  return places.map((place) => join(place, program)).find(isRunnable)
}
