/** Files of a few words beside our records. Whatever else was put in their place is neither waited for nor followed. */
import { closeSync, constants, fstatSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

const longestBytes = 1024 * 1024

/** Undefined: there is none that can be read. */
export function readSmallFile(file: string): string | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const status = fstatSync(descriptor)
    return status.isFile() && status.size <= longestBytes ? readFileSync(descriptor, 'utf8') : undefined
  } catch {
    return undefined
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Replaced as a whole, readable by its owner alone. @throws {Error} where the file system refuses */
export function writeSmallFile(file: string, text: string): void {
  const beside = `${file}.${process.pid}.new`
  writeFileSync(beside, text, { flag: 'wx', mode: 0o600 })
  renameSync(beside, file)
}
