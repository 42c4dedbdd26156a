import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { vacuousChecks } from './vacuous-checks.ts'

const until = (...lines: readonly string[]) => ({ until: lines.map((command) => ({ command })) })

it('a check whose exit code hides its failure is found, in the line and in the script behind it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'donecheck-hollow-'))
  try {
    const scripts = { test: 'vitest run', ci: 'vitest run || true' }
    await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts }))
    const found = vacuousChecks(
      { ...until('npm test', 'npm test || true', 'npm run ci'), heldOut: [{ command: 'make check; true' }] },
      folder,
    )
    expect(found.map(({ line, isInLine }) => [line, isInLine])).toEqual([
      ['npm test || true', true],
      ['npm run ci', false],
      ['make check; true', true],
    ])
    expect(found[0]?.problem).toContain('use a command that ends with')
    expect(found[1]?.problem).toContain('package.json')
  } finally {
    await rm(folder, { recursive: true })
  }
})
