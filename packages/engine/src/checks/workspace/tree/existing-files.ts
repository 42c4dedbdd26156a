/** What stands at a path, for those to whom a missing file is no error. */
import { readFileSync, statSync } from 'node:fs'

/** Links are followed. @throws the system's error for what is there and cannot be looked at */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** As `isFolder`. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

/** Empty where it cannot be read. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
