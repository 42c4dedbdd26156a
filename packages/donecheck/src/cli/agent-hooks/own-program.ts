import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The command of this very installation, links followed: what `npx` leaves in a cache may be gone tomorrow. */
export function ownProgram(): string {
  return realpathSync(fileURLToPath(new URL('../../../bin/donecheck.js', import.meta.url)))
}
