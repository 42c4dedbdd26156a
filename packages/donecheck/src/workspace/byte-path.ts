import { Buffer } from 'node:buffer'

/**
 * A path with one character for each of its bytes, relative to the work folder and with `/` between its parts. File
 * names need not be valid text; this form loses nothing, and sorts by bytes.
 */
export type BytePath = string

export function bytePathOf(bytes: Buffer): BytePath {
  return bytes.toString('latin1')
}

/** The same file for the file system: absolute when the folder is. */
export function fileUnder(folder: string, path: BytePath): Buffer {
  return path === ''
    ? Buffer.from(folder)
    : Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')])
}
