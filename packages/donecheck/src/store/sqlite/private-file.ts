import { chmodSync, closeSync, existsSync, fchmodSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileFailure } from './failures.ts'

/**
 * Makes sure that the file is there and that only its owner may read it, whatever the umask. SQLite gives the mode of
 * this file to the files that it lays beside it.
 * @throws {StoreError} when the file system refuses
 */
export function ensurePrivateFile(file: string): void {
  try {
    ensureFolder(dirname(file))
    if (!createFile(file)) protectFile(file)
  } catch (error) {
    throw fileFailure(file, error)
  }
}

/**
 * Makes what is missing, step by step: Node's own recursive way never ends where a folder cannot be made at all, such
 * as under `/proc`. A folder that was there before keeps its mode: it may be the user's.
 */
function ensureFolder(folder: string): void {
  if (existsSync(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) ensureFolder(parent)
  unlessThere(() => {
    mkdirSync(folder, { mode: 0o700 })
    chmodSync(folder, 0o700)
  })
}

/** @returns false when it was there before */
function createFile(file: string): boolean {
  return unlessThere(() => {
    const descriptor = openSync(file, 'wx', 0o600)
    fchmodSync(descriptor, 0o600)
    closeSync(descriptor)
  })
}

function unlessThere(create: () => void): boolean {
  try {
    create()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** By its name: to open and close the file here would drop the locks that SQLite holds on it in this process. */
function protectFile(file: string): void {
  const status = statSync(file)
  if (!status.isFile()) throw new Error(`${file} is not a file`)
  if ((status.mode & 0o077) !== 0) chmodSync(file, 0o600)
}
