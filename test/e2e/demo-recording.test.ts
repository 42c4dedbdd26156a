/** README.md shows a recorded run. It must be what the command prints today. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { repositoryRoot } from '../architecture/read-tree.ts'

const maxBytes = 60_000

it('the recorded demo shows what the command prints', async () => {
  const script = path.join(repositoryRoot, 'scripts/record-demo.ts')
  const run = promisify(execFile)
  const { stderr } = await run(process.execPath, [script, '--check'], { cwd: repositoryRoot })
  expect(stderr).toBe('')
})

it.each(['light', 'dark'])('the %s recording is small and runs no script', (theme) => {
  const svg = readFileSync(path.join(repositoryRoot, `docs/assets/demo-${theme}.svg`), 'utf8')
  expect(Buffer.byteLength(svg)).toBeLessThan(maxBytes)
  expect(svg).not.toMatch(/<script|<foreignObject|(?:href|src|url)\s*[=(]\s*["']?https?:/iu)
})
