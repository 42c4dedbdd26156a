/** Files of our own: no link is followed, and no pipe is waited for. It imports nothing of ours, because every hook loads it first. */
import type { Buffer } from 'node:buffer'
import { closeSync, constants, fstatSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

/** Null: there is none. @throws {Error} for what is no regular file, is larger, or cannot be read */
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

/** As a whole, readable by its owner alone. @throws {Error} where the file system refuses */
export function replaceFile(file: string, text: string): void {
  const beside = `${file}.${process.pid}.new`
  writeFileSync(beside, text, { flag: 'wx', mode: 0o600 })
  renameSync(beside, file)
}
