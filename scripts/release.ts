/**
 * `node scripts/release.ts [v1.2.3] [--publish]`: looks whether everything names that version (default: the one of the packages),
 * then lets npm rehearse the publication of every package in order. With `--publish`, by the workflow of a tag alone, it publishes.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { releaseProblems, readRelease } from './release-problems.ts'

const words = process.argv.slice(2)
const isForReal = words.includes('--publish')
const tag = words.find((word) => !word.startsWith('-'))

const root = join(import.meta.dirname, '..')
const release = readRelease(root)
const problems = releaseProblems(release, tag)
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)

for (const { folder } of release.packages) {
  // Provenance is signed by the workflow: a rehearsal elsewhere has nobody who could.
  const rehearsal = isForReal ? [] : ['--dry-run', '--offline', '--provenance=false']
  const words = ['publish', '--loglevel=error', ...rehearsal]
  console.log(execFileSync('npm', words, { cwd: join(root, folder), encoding: 'utf8' }).trim())
}
