/** Follows no link and waits for no pipe. Imports nothing of ours, because every hook loads it first. */
import type { Buffer } from 'node:buffer'
import { closeSync, constants, fstatSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

/** Null if it does not exist. @throws {Error} if it is not a regular file, too large or unreadable */
export function readRegularFile(absolute: string, maxBytes: number): Buffer | null {
  let descriptor: number | undefined
  try {
    descriptor = openSync(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const status = fstatSync(descriptor)
    if (!status.isFile()) throw new TypeError('it is no file')
    if (status.size > maxBytes) throw new TypeError(`it has more than ${maxBytes} bytes`)
    return readFileSync(descriptor)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return null
    throw error
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Atomic and readable only by the owner. @throws {Error} if the file system refuses */
export function replaceFile(file: string, text: string): void {
  const beside = `${file}.${process.pid}.new`
  writeFileSync(beside, text, { flag: 'wx', mode: 0o600 })
  renameSync(beside, file)
}
