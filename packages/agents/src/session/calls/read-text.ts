import { Buffer } from 'node:buffer'
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { codeOf } from '@donecheck/engine/base'

/** Larger files are not compared with what they were. */
export const maxBytes = 8 * 1024 * 1024

/** The text of a file; null: there is none. Undefined: no text, too large, or not to be read. Waits for no pipe. */
export function readText(absolute: string): string | null | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const { size } = fstatSync(descriptor)
    if (!fstatSync(descriptor).isFile() || size > maxBytes) return undefined
    const bytes = Buffer.alloc(size)
    const count = readSync(descriptor, bytes, 0, size, 0)
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, count))
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? null : undefined
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}
