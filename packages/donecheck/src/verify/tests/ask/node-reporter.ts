/**
 * A reporter of node:test that lies beside the reports: every process that runs tests writes one of its own as JUnit XML,
 * whole or not at all.
 */
export const nodeReporter = `
import { randomBytes } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { junit } from 'node:test/reporters'

export default async function* (source) {
  let text = ''
  for await (const piece of junit(source)) text += piece
  const path = fileURLToPath(import.meta.url).replace(/mjs$/, '') + randomBytes(6).toString('hex')
  writeFileSync(path, text, { mode: 0o600 })
  renameSync(path, path + '.xml')
}
`
