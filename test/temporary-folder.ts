/** Gives all tests of a run one temporary folder, and removes it when they have ended, whatever they left in it. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let folder: string | undefined

export function setup(): void {
  folder = mkdtempSync(join(tmpdir(), 'tests-'))
  // Servers that do not run as root are started as another user.
  chmodSync(folder, 0o755)
  process.env['TMPDIR'] = folder
}

export function teardown(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
