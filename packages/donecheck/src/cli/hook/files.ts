import { dirname } from 'node:path'
import { readRegularFile } from '@donecheck/agents/session'

const maxBytes = 1024 * 1024

/** @returns undefined if the file cannot be read */
export function readSmallFile(file: string): string | undefined {
  try {
    return readRegularFile(file, maxBytes)?.toString('utf8')
  } catch {
    return undefined
  }
}

/** The folder itself first. */
export function foldersUpward(folder: string): readonly string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...foldersUpward(above)]
}
