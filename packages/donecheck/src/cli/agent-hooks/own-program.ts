import { realpathSync } from 'node:fs'
import { isSea } from 'node:sea'
import { fileURLToPath } from 'node:url'

/** The command of this very installation, links followed: what `npx` leaves in a cache may be gone tomorrow. */
export function ownProgram(): string {
  // The single file is its own program.
  if (isSea()) return process.execPath
  return realpathSync(fileURLToPath(new URL('../../../bin/donecheck.js', import.meta.url)))
}
