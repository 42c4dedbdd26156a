import { realpathSync } from 'node:fs'
import { isSea } from 'node:sea'
import { fileURLToPath } from 'node:url'

/** Follows links: the path that `npx` uses may be gone tomorrow. */
export function ownProgram(): string {
  if (isSea()) return process.execPath
  return realpathSync(fileURLToPath(new URL('../../../bin/donecheck.js', import.meta.url)))
}
