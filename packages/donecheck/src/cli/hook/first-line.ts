import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

const longestBytes = 1024 * 1024

/** Of a file that need not be ours. Undefined: none that can be read, or that ends in time; whatever is no file is not waited for. */
export function firstLineOf(file: string): string | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    if (!fstatSync(descriptor).isFile()) return undefined
    const bytes = Buffer.alloc(longestBytes)
    const text = bytes.subarray(0, readSync(descriptor, bytes, 0, longestBytes, 0))
    const end = text.indexOf(0x0a)
    return end === -1 ? undefined : text.toString('utf8', 0, end)
  } catch {
    return undefined
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}
