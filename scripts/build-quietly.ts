/** Runs `npm run build`; prints its output only if it fails. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'

const { status, stdout, stderr, error } = spawnSync('npm', ['run', 'build'], {
  cwd: path.join(import.meta.dirname, '..'),
  encoding: 'utf8',
  maxBuffer: 64_000_000,
})
if (error !== undefined) throw error
if (status !== 0) {
  process.stderr.write(`${stdout}${stderr}`)
  process.exitCode = status ?? 1
}
