import { dirname } from 'node:path'
import { readRegularFile } from '@donecheck/agents/session'

const maxBytes = 1024 * 1024

/** A file of a few words beside our records, or a script. Undefined: there is none that can be read. */
export function readSmallFile(file: string): string | undefined {
  try {
    return readRegularFile(file, maxBytes)?.toString('utf8')
  } catch {
    return undefined
  }
}

/** The folder itself, and every one above it. */
export function foldersUpward(folder: string): readonly string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...foldersUpward(above)]
}
